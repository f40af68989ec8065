"""From rows and files to the parameters of the assembler, for one call at the moment it was made.

Each piece says where it came from. Only what neither rows nor files can give is taken from the recording, and
marked so. Follows the reference on attribution, section 1.
"""
