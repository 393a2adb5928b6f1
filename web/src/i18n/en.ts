import type {
  Advice,
  Autonomy,
  GraphChange,
  GraphVersion,
  Refusal,
  Scope,
  SlotState,
  StepKind,
  StepStatus,
} from "../contract";
import type { FieldName } from "../text/edits";

/** English: the words of the page, and the shape that every other language fills. */
export interface Dictionary {
  connection: {
    connecting: string;
    reconnecting: string;
    reconnectingDetail: string;
    restored: string;
  };
  rehearsal: string;
  skipToComposer: string;
  needsYou: (n: number) => string;
  needsMore: (n: number, shown: string) => string;
  needsTitle: string;
  link: {
    copy: string;
    copied: string;
    inAddress: string;
    lost: string;
  };
  works: {
    open: string;
    title: string;
    loading: string;
    scope: Record<Scope, string>;
    withSingle: string;
    search: string;
    none: Record<Scope, string>;
    noneFound: string;
    newest: (shown: string) => string;
    changed: (when: string) => string;
  };
  correct: {
    button: string;
    title: string;
    unread: (title: string) => string;
    used: (title: string, step: string) => string;
    toWhich: string;
    new: string;
    newDetail: string;
    give: string;
    giveCopy: string;
    withdraw: string;
    moved: (title: string) => string;
    copied: (title: string, step: string) => string;
    somethingNew: string;
  };
  join: {
    button: string;
    title: (title: string) => string;
    began: string;
    body: (title: string) => string;
    final: string;
    running: (n: number, shown: string) => string;
    toWhich: string;
    send: string;
    done: (title: string, into: string) => string;
    none: string;
  };
  settings: {
    open: string;
    title: string;
    autonomy: string;
    levels: Record<Autonomy, { name: string; detail: string }>;
    perCall: (currency: string) => string;
    daily: (currency: string) => string;
    amountInvalid: string;
    review: string;
    reviewHint: string;
    kinds: Record<StepKind, string>;
    accepts: string;
    limits: string;
    limitsHint: string;
    rounds: string;
    barren: string;
    hours: string;
    limitInvalid: string;
    language: string;
    languageAuto: string;
    save: string;
    saved: string;
    failed: string;
    account: string;
    accountOf: string;
    model: string;
    modelName: string;
    calls: string;
    read: string;
    written: string;
    price: string;
    unpriced: string;
    rehearsalFree: string;
  };
  dismiss: string;
  close: string;
  empty: {
    title: string;
    lead: string;
    examplesLabel: string;
    examples: { title: string; brief: string }[];
  };
  composer: {
    label: string;
    placeholder: string;
    placeholderFirst: string;
    placeholderTask: string;
    send: string;
    hint: string;
    count: (n: string, max: string) => string;
    tooLong: (max: string) => string;
    about: (label: string) => string;
    removeTarget: string;
  };
  chat: {
    label: string;
    you: string;
    atelier: string;
    newest: string;
    showAll: string;
    showLess: string;
    writing: string;
    loading: string;
  };
  message: {
    sending: string;
    notSent: string;
    refused: string;
    retry: string;
    takeBack: string;
    received: string;
    routed: string;
    asked: string;
    tookAsAnswer: string;
    copy: string;
    deliveredTo: (title: string) => string;
    delivered: string;
    readAt: (step: string) => string;
    read: string;
    withdrawn: string;
    replaced: string;
    movedTo: (title: string) => string;
    moved: string;
    answered: string;
    fromTask: (title: string) => string;
  };
  task: {
    label: string;
    open: string;
    status: Record<"active" | "waiting" | "paused" | "completed" | "failed" | "stopped", string>;
    working: string;
    workingOn: (title: string) => string;
    workingCount: (title: string, n: string, m: string) => string;
    atStep: (n: string) => string;
    lookAt: (steps: string) => string;
    waitingFor: Record<
      "approval" | "jobs" | "answer" | "budget" | "limit" | "no_progress" | "blocked" | "provider" | "tasks" | "other",
      string
    >;
    why: {
      notAccepted: (steps: string) => string;
      noProgress: string;
      stepsFailed: (steps: string) => string;
      checksFailed: string;
      failed: string;
      limit: string;
      budget: string;
    };
    /** What ends a wait, where its reason does not say so already. */
    ends: Record<
      "paused" | "limit" | "jobs" | "budget" | "blocked" | "answer",
      string
    >;
    finished: string;
    delivered: string;
    awaiting: string;
    accepted: string;
    putAway: string;
    joined: string;
    joinedTo: (title: string) => string;
    paused: string;
    failed: string;
    stopped: string;
    steps: (n: string, m: string) => string;
    soFar: (amount: string) => string;
    inAll: (amount: string) => string;
    moreSteps: (n: string) => string;
  };
  step: Record<StepStatus | "left", string> & {
    count: (n: string, m: string) => string;
    failedCount: (n: string) => string;
    runningCount: (n: string) => string;
    askedCount: (n: string) => string;
    leftOutCount: (n: string) => string;
    making: (places: string) => string;
    missing: (places: string) => string;
    leftOut: (places: string) => string;
    replaced: (place: string, provider: string, others: string) => string;
    thisMachine: string;
  };
  job: Record<"queued" | "running" | "succeeded" | "failed" | "cancelled" | "unknown", string>;
  panel: {
    label: string;
    switchTask: string;
    goal: string;
    plan: string;
    planDraft: string;
    jobs: string;
    jobsSummary: (done: string, total: string) => string;
    money: string;
    settled: string;
    held: string;
    free: string;
    limit: (amount: string) => string;
    absorbed: (amount: string) => string;
    works: string;
    film: string;
    pictures: string;
    clips: string;
    sounds: string;
    models: string;
    modelTurn: string;
    modelPicture: string;
    modelHint: string;
    modelUnshown: string;
    triangles: (count: string) => string;
    documents: string;
    files: string;
    nothingYet: string;
    write: string;
    pause: string;
    resume: string;
    stop: string;
    reopen: string;
    archive: string;
    unarchive: string;
    drawsOn: string;
    readAt: (when: string) => string;
    modelUsage: string;
    modelCalls: (n: number, calls: string, read: string, written: string) => string;
    modelUnpriced: (n: number, shown: string) => string;
    version: (n: string) => string;
    download: string;
    read: string;
    talkAbout: string;
    previous: string;
    next: string;
    pictureOf: (n: string, m: string) => string;
    toCome: string;
    captions: string;
    filmUnplayable: string;
    loadFailed: string;
  };
  more: {
    button: string;
    budgetButton: string;
    title: (title: string) => string;
    budgetTitle: (title: string) => string;
    roundsUsed: (used: string, most: string) => string;
    hoursUsed: (used: string, most: string) => string;
    free: (amount: string) => string;
    short: (amount: string) => string;
    rounds: string;
    hours: string;
    amount: (currency: string) => string;
    invalid: string;
    send: string;
    budgetSend: string;
    allowances: string;
    done: (title: string) => string;
    added: (title: string) => string;
  };
  dialog: {
    stopTitle: (title: string) => string;
    stopBody: string;
    pauseTitle: (title: string) => string;
    pauseBody: string;
    paid: (amount: string) => string;
    heldNow: (amount: string) => string;
    jobsOut: (n: number, shown: string) => string;
    nothingPaid: string;
    reopenTitle: (title: string) => string;
    reopenBody: string;
    confirmReopen: string;
    leave: string;
    confirmStop: string;
    confirmPause: string;
    keepGoing: string;
    failed: string;
  };
  approval: {
    label: string;
    kind: Record<"plan" | "call" | "question" | "route" | "review" | "gaps", string>;
    category: Record<Refusal, string>;
    lookFirst: string;
    stopsHere: string;
    accept: string;
    takes: string;
    measured: string;
    about: (time: string) => string;
    stays: (done: string, expected: string) => string;
    saw: (done: string, expected: string) => string;
    total: string;
    atMost: string;
    approve: string;
    approveGaps: string;
    gaps: string;
    approveAtMost: (amount: string) => string;
    reject: string;
    edit: string;
    choose: string;
    orType: string;
    youWrote: string;
    inAll: (n: string) => string;
    answerInWords: string;
    rejectLabel: string;
    rejectSend: string;
    editLabel: string;
    editSend: string;
    editHint: (amount: string) => string;
    field: Record<FieldName, string>;
    replaces: string;
    replaced: string;
    cancel: string;
    sending: string;
    expires: (when: string) => string;
    item: string;
    amount: string;
    outcome: Record<"approved" | "edited" | "rejected" | "chosen" | "expired" | "superseded", string>;
    byYou: Record<"approved" | "edited" | "rejected" | "chosen", string>;
    by: (outcome: string, who: string) => string;
    choice: (label: string) => string;
    note: (note: string) => string;
    details: string;
    problem: Record<"already_decided" | "superseded" | "expired" | "unreachable" | "other", string>;
  };
  delivery: {
    delivered: string;
    refused: string;
    report: string;
    revision: (n: string) => string;
    findings: string;
    severity: Record<"info" | "warning" | "error", string>;
    measured: (value: string) => string;
    limit: (value: string) => string;
    between: (from: string, to: string) => string;
    missing: string;
    replaced: string;
    truncated: string;
    clean: string;
    counts: {
      findings: (n: number, shown: string) => string;
      missing: (n: number, shown: string) => string;
      replaced: (n: number, shown: string) => string;
    };
  };
  graph: {
    open: string;
    title: (title: string) => string;
    drawing: string;
    hint: string;
    none: string;
    whole: string;
    single: string;
    notFit: (n: string) => string;
    notFitPlaces: (places: string) => string;
    looked: string;
    places: (state: string, places: string) => string;
    price: (amount: string) => string;
    changes: string;
    changed: (place: string, cause: string) => string;
    someCause: string;
    history: string;
    version: (n: string) => string;
    said: string;
    because: string;
    rested: (n: string) => string;
    failed: (steps: string) => string;
    added: (steps: string) => string;
    gone: (steps: string) => string;
    again: (steps: string) => string;
    counts: (step: string, before: string, after: string) => string;
    kept: (steps: string, reason: string) => string;
    leftOut: (title: string, reason: string) => string;
    refused: (reason: string) => string;
    allowance: string;
    copy: string;
    copied: string;
    byHand: string;
    kinds: Record<StepKind, string>;
    status: Record<GraphVersion["status"], string>;
    change: Record<GraphChange["status"], string>;
    slot: Record<SlotState, string>;
  };
  acceptance: {
    ask: string;
    accept: string;
    change: string;
    changeLabel: string;
    changeSend: string;
    accepted: string;
    acceptedBy: (who: string) => string;
    bySetting: string;
    byAutonomy: string;
    asked: string;
    askedBy: (who: string) => string;
    late: string;
    lateDetail: string;
    judged: string;
    place: (step: string, slot: string) => string;
    advice: Record<Advice, string>;
  };
  announce: {
    reply: string;
    needsYou: (title: string) => string;
    task: (title: string, state: string) => string;
    delivered: (title: string) => string;
  };
  broken: { title: string; reload: string };
}

const plural = (n: number, one: string, other: string): string => (n === 1 ? one : other);

export const en: Dictionary = {
  connection: {
    connecting: "Connecting…",
    reconnecting: "Reconnecting…",
    reconnectingDetail: "Work goes on without this page. What you write is kept and sent when it is back.",
    restored: "Connected again.",
  },
  rehearsal: "Rehearsal model: rules, not a language model",
  skipToComposer: "Skip to the message field",
  needsYou: (n) => `Needs you (${n})`,
  needsMore: (_n, shown) => `and ${shown} more`,
  needsTitle: "Waiting for you",
  link: {
    copy: "Copy link",
    copied: "Link copied.",
    inAddress: "The link now stands in the address bar.",
    lost: "This link leads to nothing that is here.",
  },
  works: {
    open: "Tasks",
    title: "Tasks",
    loading: "Loading…",
    scope: { current: "Now", all: "All", archived: "Archive" },
    withSingle: "Single pictures and sounds too",
    search: "Search by title or goal",
    none: {
      current: "Nothing is at work, and nothing has ended lately.",
      all: "There is no task yet.",
      archived: "Nothing has been archived.",
    },
    noneFound: "No task has these words.",
    newest: (shown) => `These are the ${shown} that changed last.`,
    changed: (when) => `changed ${when}`,
  },
  correct: {
    button: "Belongs elsewhere…",
    title: "Where does this belong?",
    unread: (title) => `“${title}” has not read it yet; it goes over as it is.`,
    used: (title, step) =>
      `Already used in step ${step} of “${title}”. What was done stays done: a copy of the words goes over, and “${title}” is told to do nothing more because of them.`,
    toWhich: "It belongs to",
    new: "Something new",
    newDetail: "A task of its own begins with these words",
    give: "Give it over",
    giveCopy: "Give a copy over",
    withdraw: "Take it back and edit",
    moved: (title) => `Given to ${title}.`,
    copied: (title, step) => `Already used in step ${step}; a copy was given to ${title}.`,
    somethingNew: "a task of its own",
  },
  join: {
    button: "Belongs together with…",
    title: (title) => `What does “${title}” belong together with?`,
    began: "These words began the task, so they move only together with it.",
    body: (title) =>
      `The other task goes on with the words and the results of both. “${title}” is archived; what it has cost stays on its account.`,
    final: "This cannot be undone: the words stay in the other task.",
    running: (n, shown) =>
      `${plural(n, "1 render is", `${shown} renders are`)} still running. Wait until they have ended, or stop the task first.`,
    toWhich: "It goes on in",
    send: "Join them",
    done: (title, into) => `“${title}” goes on in “${into}”.`,
    none: "There is no other task.",
  },
  settings: {
    open: "Settings",
    title: "Settings",
    autonomy: "How freely may Atelier act?",
    levels: {
      cautious: { name: "Cautious", detail: "Asks before each plan and before each paid step outside of one." },
      balanced: {
        name: "Balanced",
        detail: "Asks before each plan. Single steps within the amounts below run by themselves.",
      },
      free: {
        name: "Free",
        detail: "A first plan within the amounts below begins by itself. What costs more is asked about.",
      },
    },
    perCall: (currency) => `Without asking, for one step (${currency})`,
    daily: (currency) => `Without asking, in one day (${currency})`,
    amountInvalid: "Please enter an amount from 0 up.",
    review: "Stop and let me look after",
    reviewHint: "In plans from now on.",
    kinds: {
      script: "Script",
      document: "Texts",
      image: "Pictures",
      characters: "Characters",
      keyframes: "Keyframes",
      shots: "Moving shots",
      narration: "Narration",
      music: "Music",
      captions: "Captions",
      master: "Finished film",
      model3d: "3D objects",
    },
    accepts: "What is delivered counts as accepted, without asking me",
    limits: "How much each production does by itself",
    limitsHint: "Then it waits, says what ends that, and keeps what it has.",
    rounds: "Rounds of work",
    barren: "Rounds without progress",
    hours: "Hours of work",
    limitInvalid: "Please enter whole rounds (at most 100 without progress) and at least a minute of time.",
    language: "Language of this page",
    languageAuto: "As the browser says",
    save: "Save",
    saved: "Saved.",
    failed: "This could not be saved. Please try again.",
    account: "Spent so far",
    accountOf: "all tasks together",
    model: "Language model",
    modelName: "Model",
    calls: "Calls",
    read: "Tokens read",
    written: "Tokens written",
    price: "Price",
    unpriced: "not known",
    rehearsalFree: "The rehearsal model costs nothing.",
  },
  dismiss: "Dismiss",
  close: "Close",
  empty: {
    title: "What shall we make?",
    lead: "Describe it once. Atelier plans the work, shows what it will cost, and comes back with something finished.",
    examplesLabel: "Ideas to start from",
    examples: [
      {
        title: "A teaser film",
        brief:
          "A 36-second teaser for our autumn market: twelve calm pictures of the valley from dawn to night, a warm narrator, soft music, English captions. At most $6.",
      },
      {
        title: "A picture series",
        brief:
          "Six posters for a small jazz festival, one for each evening. One family of shapes, two colours each, and room at the bottom for the line-up.",
      },
      {
        title: "A story read aloud",
        brief:
          "A two-minute bedtime story about a lighthouse that is afraid of the dark, read slowly, with a picture for each scene.",
      },
    ],
  },
  composer: {
    label: "Message",
    placeholder: "Add, answer, change your mind…",
    placeholderFirst: "Describe what you need…",
    placeholderTask: "It will be read at the next step…",
    send: "Send",
    hint: "Enter sends · Shift+Enter for a new line",
    count: (n, max) => `${n} of ${max} characters`,
    tooLong: (max) => `This is too long to send: at most ${max} characters. Nothing was lost.`,
    about: (label) => `About “${label}”`,
    removeTarget: "Write to Atelier in general instead",
  },
  chat: {
    label: "Conversation",
    you: "You",
    atelier: "Atelier",
    newest: "To the newest",
    showAll: "Show all",
    showLess: "Show less",
    writing: "Writing…",
    loading: "Loading the conversation…",
  },
  message: {
    sending: "Sending…",
    notSent: "Not sent: no connection.",
    refused: "Not accepted.",
    retry: "Try again",
    takeBack: "Take back and edit",
    received: "Received",
    routed: "Understood",
    asked: "Waiting for your answer: which task?",
    tookAsAnswer: "Taken as your answer",
    copy: "Copy",
    deliveredTo: (title) => `Delivered to “${title}”`,
    delivered: "Delivered",
    readAt: (step) => `read at step ${step}`,
    read: "read",
    withdrawn: "Withdrawn",
    replaced: "Replaced by a later message",
    movedTo: (title) => `Moved to “${title}”`,
    moved: "Moved",
    answered: "Answered",
    fromTask: (title) => `from “${title}”`,
  },
  task: {
    label: "Task",
    open: "Open",
    status: {
      active: "Working",
      waiting: "Waiting",
      paused: "Paused",
      completed: "Done",
      failed: "Failed",
      stopped: "Stopped",
    },
    working: "Working",
    workingOn: (title) => `Working on ${title}`,
    workingCount: (title, n, m) => `${title}: ${n} of ${m}`,
    atStep: (n) => `step ${n}`,
    lookAt: (steps) => `Waiting for you to look at ${steps}`,
    waitingFor: {
      approval: "Waiting for your decision",
      jobs: "Waiting for renders to finish",
      answer: "Waiting for your answer",
      budget: "Waiting for money",
      limit: "Has reached its limit",
      no_progress: "Stopped itself: no progress",
      blocked: "Cannot go on by itself",
      provider: "The language model does not answer; it is tried again",
      tasks: "Waiting for other tasks",
      other: "Waiting",
    },
    why: {
      notAccepted: (steps) => `You did not accept ${steps}. Say what should be different.`,
      noProgress: "The last rounds brought nothing new. Say how to go on, or stop the task.",
      stepsFailed: (steps) => `Failed after several tries: ${steps}.`,
      checksFailed: "The finished work did not pass its checks; the delivery report says why.",
      failed: "It could not be made after several tries.",
      limit: "It has done as much by itself as it may.",
      budget: "What may be spent does not cover what is asked for.",
    },
    ends: {
      paused: "It goes on when you resume it.",
      limit: "It goes on when you give it more, or write how to go on.",
      jobs: "It goes on by itself when the renders have ended.",
      budget: "It goes on when you say yes to it, add to the budget or the allowances, or when a new day’s allowance covers it.",
      blocked: "It goes on when you write what to do instead.",
      answer: "It goes on when you write.",
    },
    finished: "Finished",
    delivered: "Delivered",
    awaiting: "Delivered, waits for you to accept it",
    accepted: "Delivered and accepted",
    putAway: "Archived",
    joined: "Joined to another task",
    joinedTo: (title) => `Goes on in “${title}”`,
    paused: "Paused by you",
    failed: "Could not be finished",
    stopped: "Stopped by you",
    steps: (n, m) => `${n} of ${m} steps`,
    soFar: (amount) => `${amount} so far`,
    inAll: (amount) => `${amount} in all`,
    moreSteps: (n) => `and ${n} more`,
  },
  step: {
    todo: "to do",
    ready: "ready",
    doing: "in work",
    review: "waiting for your look",
    rejected: "not accepted",
    done: "done",
    failed: "failed",
    left: "not finished",
    count: (n, m) => `${n} of ${m}`,
    failedCount: (n) => `${n} failed`,
    runningCount: (n) => `${n} being made`,
    askedCount: (n) => `${n} awaiting your yes`,
    leftOutCount: (n) => `${n} left out`,
    making: (places) => `Being made: ${places}`,
    missing: (places) => `Without a result: ${places}`,
    leftOut: (places) => `Left out, as you agreed: ${places}`,
    replaced: (place, provider, others) =>
      `${place}: ${provider} instead of ${others}`,
    thisMachine: "this machine",
  },
  job: {
    queued: "queued",
    running: "running",
    succeeded: "done",
    failed: "failed",
    cancelled: "cancelled",
    unknown: "outcome unknown",
  },
  panel: {
    label: "Task details",
    switchTask: "Show task",
    goal: "Goal",
    plan: "Plan",
    planDraft: "not approved yet",
    jobs: "Renders",
    jobsSummary: (done, total) => `${done} of ${total} finished`,
    money: "Money",
    settled: "Paid",
    held: "Set aside",
    free: "Left",
    limit: (amount) => `Limit ${amount}`,
    absorbed: (amount) => `${amount} of costs were not charged to you.`,
    works: "Made so far",
    film: "Film",
    pictures: "Pictures",
    clips: "Clips",
    sounds: "Sound",
    models: "3D object",
    modelTurn: "Turn it",
    modelPicture: "Picture",
    modelHint: "Drag it, or use the arrow keys, to turn it.",
    modelUnshown: "It cannot be shown here in space; it can be downloaded.",
    triangles: (count) => `${count} triangles`,
    documents: "Documents",
    files: "Files",
    nothingYet: "Nothing has been made yet.",
    write: "Write to this task",
    pause: "Pause",
    resume: "Resume",
    stop: "Stop",
    reopen: "Take up again",
    archive: "Archive",
    unarchive: "Bring back",
    drawsOn: "Has read",
    readAt: (when) => `read ${when}`,
    modelUsage: "Language model",
    modelCalls: (n, calls, read, written) =>
      `${plural(n, "1 call", `${calls} calls`)} · ${read} tokens read, ${written} written`,
    modelUnpriced: (n, shown) => plural(n, "1 call without a known price", `${shown} calls without a known price`),
    version: (n) => `version ${n}`,
    download: "Download",
    read: "Read",
    talkAbout: "Write about this",
    previous: "Previous",
    next: "Next",
    pictureOf: (n, m) => `${n} of ${m}`,
    toCome: "still to come",
    captions: "Captions",
    filmUnplayable: "This browser cannot play the film; it can be downloaded.",
    loadFailed: "This could not be loaded.",
  },
  more: {
    button: "Let it do more…",
    budgetButton: "Add to the budget…",
    title: (title) => `How much more may “${title}” do?`,
    budgetTitle: (title) => `Add to the budget of “${title}”`,
    roundsUsed: (used, most) => `${used} of ${most} rounds of work are used.`,
    hoursUsed: (used, most) => `${used} of ${most} hours are used.`,
    free: (amount) => `${amount} of its budget is left.`,
    short: (amount) => `What is asked for needs ${amount} more.`,
    rounds: "More rounds",
    hours: "More hours",
    amount: (currency) => `More money (${currency})`,
    invalid: "Please enter numbers from 0 up, at least one above 0.",
    send: "Let it go on",
    budgetSend: "Add to the budget",
    allowances: "Allowances…",
    done: (title) => `“${title}” goes on.`,
    added: (title) => `Added to the budget of “${title}”.`,
  },
  dialog: {
    stopTitle: (title) => `Stop “${title}”?`,
    stopBody: "No further work starts. What has been made stays here.",
    pauseTitle: (title) => `Pause “${title}”?`,
    pauseBody: "No further work starts until you resume. Renders that are already out will finish.",
    paid: (amount) => `${amount} is already paid and stays paid.`,
    heldNow: (amount) => `Up to ${amount} more may be charged for renders that are already out.`,
    jobsOut: (n, shown) => plural(n, "1 render is out.", `${shown} renders are out.`),
    nothingPaid: "Nothing has been paid so far.",
    reopenTitle: (title) => `Take up “${title}” again?`,
    reopenBody: "Work on it goes on from where it ended. What costs money is asked about as before.",
    confirmReopen: "Take it up again",
    leave: "Leave it",
    confirmStop: "Stop the task",
    confirmPause: "Pause the task",
    keepGoing: "Keep going",
    failed: "That did not work. Please try again.",
  },
  approval: {
    label: "Needs your decision",
    kind: {
      plan: "Plan and budget",
      call: "Paid step",
      question: "Question",
      route: "Which task?",
      review: "Review",
      gaps: "Finish without these?",
    },
    category: {
      permission: "This may run only if you allow it.",
      budget: "This costs more than may be spent without asking.",
      capability: "This cannot be done here.",
      invalid: "This could not be done as it was put.",
    },
    lookFirst: "Nothing goes on from these before your yes. If they are not right, say what should be different.",
    stopsHere: "You look at this before work goes on",
    accept: "Accept, go on",
    takes: "Takes",
    measured: "by what was measured here",
    about: (time) => `about ${time}`,
    stays: (done, expected) => `${done} of ${expected} stay as they are`,
    saw: (done, expected) => `Asked when ${done} of ${expected} results were there.`,
    total: "Expected total",
    atMost: "At most",
    approve: "Approve",
    approveGaps: "Finish without these",
    gaps: "If you approve, the work is finished without these. What of them is still being made is stopped, and may have to be paid all the same.",
    approveAtMost: (amount) => `Approve, at most ${amount}`,
    reject: "Reject…",
    edit: "Change…",
    choose: "Choose",
    orType: "You can also type the answer below: a number or a name is enough.",
    youWrote: "You wrote",
    inAll: (n) => `${n} in all`,
    answerInWords: "Answer in your own words",
    rejectLabel: "What should be different? (optional)",
    rejectSend: "Reject",
    editLabel: "Changes before your yes",
    editSend: "Approve with changes",
    editHint: (amount) => `If it costs no more than ${amount} with your changes, it runs. If it costs more, you are asked again.`,
    field: {
      name: "Name",
      prompt: "Description",
      text: "Spoken words",
      title: "Title in the picture",
      subtitle: "Subtitle in the picture",
      style: "Style",
      mood: "Mood",
      language: "Language",
      width: "Width (pixels)",
      height: "Height (pixels)",
      duration_s: "Duration (seconds)",
      max_duration_s: "Longest duration (seconds)",
      fps: "Frames per second",
    },
    replaces: "With your changes this costs more than before. Nothing has been approved yet.",
    replaced: "Changed: it costs more now and is asked about anew",
    cancel: "Cancel",
    sending: "Sending…",
    expires: (when) => `Expires ${when}`,
    item: "Item",
    amount: "Amount",
    outcome: {
      approved: "Approved",
      edited: "Changed and approved",
      rejected: "Rejected",
      chosen: "Chosen",
      expired: "Expired – it can no longer be answered",
      superseded: "No longer asked: the work has changed or was stopped since",
    },
    byYou: {
      approved: "You approved this",
      edited: "You changed and approved this",
      rejected: "You rejected this",
      chosen: "You chose",
    },
    by: (outcome, who) => `${outcome} by ${who}`,
    choice: (label) => `“${label}”`,
    note: (note) => `“${note}”`,
    details: "Details",
    problem: {
      already_decided: "This was already decided, here or in another tab. Nothing was done twice.",
      superseded: "Things have changed since, and this is no longer asked. Nothing was spent.",
      expired: "This question has expired. Nothing was spent; ask again if you still want it.",
      unreachable: "Your answer did not get through. It is safe to press again.",
      other: "The answer was not accepted.",
    },
  },
  delivery: {
    delivered: "Delivered",
    refused: "Not ready to deliver",
    report: "Delivery report",
    revision: (n) => `revision ${n}`,
    findings: "Findings",
    severity: { info: "Note", warning: "Warning", error: "Error" },
    measured: (value) => `measured ${value}`,
    limit: (value) => `limit ${value}`,
    between: (from, to) => `${from}–${to}`,
    missing: "Missing",
    replaced: "Replaced",
    truncated: "Shortened",
    clean: "All checks passed.",
    counts: {
      findings: (n, shown) => plural(n, "1 finding", `${shown} findings`),
      missing: (_n, shown) => `${shown} missing`,
      replaced: (_n, shown) => `${shown} replaced`,
    },
  },
  graph: {
    open: "Show as a graph",
    title: (title) => `How “${title}” is made`,
    drawing: "Steps and what rests on what",
    hint: "Choose a step to see what it rests on.",
    none: "There is no plan yet.",
    whole: "rests on all of it",
    single: "one by one, each on its like",
    notFit: (n) => `${n} may no longer fit`,
    notFitPlaces: (places) => `May no longer fit: ${places}`,
    looked: "You look at this",
    places: (state, places) => `${state}: ${places}`,
    price: (amount) => `planned at ${amount}`,
    changes: "What has changed",
    changed: (place, cause) => `${place} rests on “${cause}”, which has changed`,
    someCause: "something",
    history: "How the plan came about",
    version: (n) => `Version ${n}`,
    said: "You said",
    because: "Because",
    rested: (n) => `${n} resting on something that has changed`,
    failed: (steps) => `failed: ${steps}`,
    added: (steps) => `New: ${steps}`,
    gone: (steps) => `No longer there: ${steps}`,
    again: (steps) => `Made again: ${steps}`,
    counts: (step, before, after) => `${step}: ${before} → ${after}`,
    kept: (steps, reason) => `Kept: ${steps} – ${reason}`,
    leftOut: (title, reason) => `Left out: ${title} – ${reason}`,
    refused: (reason) => `Not accepted: “${reason}”`,
    allowance: "within the allowance",
    copy: "Copy as Mermaid",
    copied: "Copied.",
    byHand: "Copying is not allowed here; this is the text:",
    kinds: {
      script: "Script",
      document: "Text",
      image: "Picture",
      characters: "Characters",
      keyframes: "Keyframes",
      shots: "Moving shots",
      narration: "Narration",
      music: "Music",
      captions: "Captions",
      master: "Finished film",
      model3d: "3D object",
    },
    status: { proposed: "proposed", approved: "holds", rejected: "not accepted", superseded: "replaced" },
    change: { pending: "not decided yet", kept: "kept as it is", remade: "made again", obsolete: "no longer matters" },
    slot: { done: "Done", running: "Being made", asked: "Awaiting your yes", unknown: "Outcome unknown", failed: "Failed", missing: "To do", left_out: "Left out" },
  },
  acceptance: {
    ask: "Is it as you want it?",
    accept: "Accept",
    change: "Ask for changes…",
    changeLabel: "What should be different?",
    changeSend: "Ask for changes",
    accepted: "You accepted this.",
    acceptedBy: (who) => `Accepted by ${who}.`,
    bySetting: "Accepted without asking, as your settings say.",
    byAutonomy: "Accepted without asking: Atelier may act freely.",
    asked: "You asked for changes.",
    askedBy: (who) => `${who} asked for changes.`,
    late: "Came too late for this delivery",
    lateDetail: "It is not in it. Ask for a change if you want it in.",
    judged: "What a look at the results suggests",
    place: (step, slot) => `${step} ${slot}`,
    advice: { adjust: "Adjust", regenerate: "Make again", ask: "For you to decide" },
  },
  announce: {
    reply: "Atelier has answered.",
    needsYou: (title) => `Needs your decision: ${title}`,
    task: (title, state) => `${title}: ${state}`,
    delivered: (title) => `Delivered: ${title}`,
  },
  broken: {
    title: "The page has stumbled. Your work is safe on the server.",
    reload: "Reload",
  },
};
