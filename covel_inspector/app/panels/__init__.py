"""The panels at the bottom of the window.

To add one: a file here with a subclass of :class:`~covel_inspector.app.panels.panel.Panel`, and a line in
:data:`~covel_inspector.app.panels.registry.PANELS`. Menu entry, palette entry, tab and memory come by themselves.
"""
