// All times and counts of the client. Times are in milliseconds unless the comment gives another unit.
/** A time later than every deadline, and a duration longer than every wait. */
export const NEVER = 1e15

/** Time for which a call without an answer is retried by default. */
export const RETRY_FOR_MS = 60_000
/** Timeout of one try, from sending to the last byte of the answer. */
export const TRY_MS = 10_000
/** Maximum wait before the second try of a call, and maximum of all later waits between tries. */
export const FIRST_BACKOFF_MS = 500
export const LONGEST_BACKOFF_MS = 10_000
/** Remaining lifetime of a player token below which the next request fetches a new token. */
export const RENEW_MS = 30_000

/** Timeout of a try to follow a lobby, until the first byte of the answer arrives. */
export const CONNECT_MS = 10_000
/** Longest silence of a connection. The service sends data every 15 s, so a longer silence means a dead connection. */
export const SILENCE_MS = 35_000
/** Interval between two checks whether an open connection is silent. */
export const LOOK_MS = 5_000
/** Delay of a timer from which the client concludes that the machine has slept. */
export const SLEPT_MS = 10_000
/** Silence of a connection after which the client opens it again when the page becomes visible again. */
export const DOUBTFUL_MS = 20_000
/** Interval between the heartbeats that keep the player in the lobby while no connection is open. */
export const HEARTBEAT_MS = 10_000
/** Silence after which the state of a connection is reported as `lost`. */
export const LOST_MS = 30_000
/** Lifetime of a stream below which its end counts as a cut by the network, unless the service announced the end. */
export const YOUNG_MS = 20_000
/** Number of short streams in a row after which the network is assumed to cut or buffer streams. */
export const CUTS = 3
/** Longest wait of a poll that the service allows, in seconds. */
export const POLL_SECONDS = 25
/** Time limit for reading missed versions from the log between two polls. */
export const REPLAY_MS = 5_000
/**
 * Number of consecutive failures to read missed versions after which the client passes on the current version alone.
 */
export const REPLAYS = 5

/** Time for which a call waits for the events of its own change. The events arrive later in any case. */
export const SETTLED_MS = 2_000
/** Interval between two reports of the reasons why the lobby still waits. */
export const EXPLAIN_EVERY_MS = 5_000

/** Time for which answers of beacons are awaited by default. */
export const MEASURE_MS = 1_500
/** Number of requests to one beacon that count. */
export const SAMPLES = 5
/** Interval between two UDP requests to the same beacon. */
export const SAMPLE_GAP_MS = 50
/** Time for which `play` uses measured latencies. */
export const MEASURED_FOR_MS = 300_000
