"""Every tool by its name, in the fixed order in which a model sees them.

The order is part of the stable prefix of a prompt: new tools are appended, never sorted in.
"""

from tools.asking import ASK_TASK
from tools.assembly import ASSEMBLE_FILM, MAKE_CAPTIONS
from tools.checks import CHECK_CALL
from tools.delegating import DELEGATE
from tools.documents import LIST_OBJECTS, READ_OBJECT, WRITE_DOCUMENT
from tools.gaps import LEAVE_OUT
from tools.generate import (
    GENERATE_CLIP,
    GENERATE_IMAGE,
    GENERATE_MODEL,
    GENERATE_MUSIC,
    GENERATE_NARRATION,
)
from tools.guides.reading import READ_GUIDE
from tools.keeping import KEEP_RESULTS
from tools.messages import ASK_PERSON, FIND_CAPABILITIES
from tools.plan import PROPOSE_PLAN
from tools.tasks import READ_TASK
from tools.tool import Tool

TOOLS: dict[str, Tool] = {
    tool.name: tool
    for tool in (
        PROPOSE_PLAN,
        WRITE_DOCUMENT,
        GENERATE_IMAGE,
        GENERATE_CLIP,
        GENERATE_NARRATION,
        GENERATE_MUSIC,
        MAKE_CAPTIONS,
        ASSEMBLE_FILM,
        READ_OBJECT,
        LIST_OBJECTS,
        ASK_PERSON,
        FIND_CAPABILITIES,
        CHECK_CALL,
        LEAVE_OUT,
        GENERATE_MODEL,
        READ_TASK,
        KEEP_RESULTS,
        READ_GUIDE,
        ASK_TASK,
        DELEGATE,
    )
}
