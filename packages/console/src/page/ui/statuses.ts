/** Tone of a status; each tone has a colour and a shape. */
export type Tone = 'good' | 'wait' | 'bad' | 'info' | 'still'

/** Labels and tones of every status of the service. */
export const STATUSES = {
  lobby: {
    waiting: ['still', 'Waiting'],
    in_queue: ['info', 'Searching'],
    matched: ['wait', 'Matched'],
    starting: ['wait', 'Starting'],
    in_game: ['good', 'In game'],
  },
  match: {
    proposed: ['info', 'Proposed'],
    launching: ['wait', 'Launching'],
    running: ['good', 'Running'],
    ended: ['still', 'Ended'],
  },
  server: {
    launching: ['wait', 'Launching'],
    running: ['good', 'Running'],
    stopping: ['wait', 'Stopping'],
    stopped: ['still', 'Stopped'],
    failed: ['bad', 'Failed'],
  },
  machine: {
    ready: ['good', 'Ready'],
    cordoned: ['still', 'Cordoned'],
    // The service calls a machine that pauses by itself cordoned.
    paused: ['bad', 'Paused'],
    draining: ['wait', 'Draining'],
    drained: ['still', 'Drained'],
    lost: ['bad', 'Lost'],
  },
  build: {
    uploading: ['wait', 'Uploading'],
    processing: ['wait', 'Processing'],
    ready: ['good', 'Ready'],
    failed: ['bad', 'Failed'],
    deleted: ['still', 'Deleted'],
  },
  delivery: {
    pending: ['wait', 'Pending'],
    delivered: ['good', 'Delivered'],
    failed: ['bad', 'Failed'],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly [Tone, string]>>>>
