"""Typed parameters of Track B's synthetic methods, and what those of the real methods count as."""

POOLS: dict[str, tuple[str, ...]] = {
    "colour": ("fillColor", "strokeColor", "opacity", "gradientStops", "blendMode", "colorSpace"),
    "geometry": ("x", "y", "width", "height", "rotation", "cornerRadius"),
    "timing": ("duration", "delay", "easing", "loopCount", "frameRate", "startTime"),
    "text": ("content", "fontFamily", "fontSize", "lineHeight", "language", "justification"),
    "data": ("datasetId", "filterQuery", "fieldMapping", "refreshInterval", "recordLimit", "sortOrder"),
    "file": ("filePath", "fileFormat", "quality", "resolution", "compression", "overwrite"),
    "audience": ("segmentId", "locale", "permission", "recipientCount", "consentState", "timezone"),
    "layout": ("columns", "gutter", "padding", "alignment", "anchor", "zOrder"),
}
"""Names differ between pools, so that a name stands for its type."""

REAL: dict[str, str] = {
    "color": "fillColor",
    "colors": "gradientStops",
    "strokeColor": "strokeColor",
    "opacity": "opacity",
    "stops": "gradientStops",
    "blendMode": "blendMode",
    "x": "x",
    "y": "y",
    "width": "width",
    "height": "height",
    "rotation": "rotation",
    "angle": "rotation",
    "cornerRadius": "cornerRadius",
    "duration": "duration",
    "easing": "easing",
    "loop": "loopCount",
    "fps": "frameRate",
    "time": "startTime",
    "content": "content",
    "label": "content",
    "fontFamily": "fontFamily",
    "fontSize": "fontSize",
    "justification": "justification",
    "data": "datasetId",
    "xField": "fieldMapping",
    "yField": "fieldMapping",
    "valueField": "fieldMapping",
    "quality": "quality",
    "cols": "columns",
    "spacing": "gutter",
    "padding": "padding",
}
"""A real method's parameter -> the parameter of the pools that it is."""
