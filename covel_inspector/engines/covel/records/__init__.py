"""The shapes of Covel's rows, recorded calls and manifests, validated. No I/O, no SQL.

`rows` are what the database room reads, `calls` what a recorded call holds, `manifests` what the checkout room
reads from files. All other rooms of the engine take these values and return their own.
"""
