// Every time and count of the client at one place; times are in milliseconds unless said.

/** Later than anything that is waited for, and longer than anything lasts. */
export const NEVER = 1e15

/** For how long a call is tried again while nothing answers, unless the client is told otherwise. */
export const RETRY_FOR_MS = 60_000
/** One try, from sending to the last byte of the answer. */
export const TRY_MS = 10_000
/** The bounds of the first wait between two tries, and of every later one. */
export const FIRST_BACKOFF_MS = 500
export const LONGEST_BACKOFF_MS = 10_000
/** A token is asked for anew when it has less than this to live. */
export const RENEW_MS = 30_000

/** A try to follow has this long until the first byte of its answer. */
export const CONNECT_MS = 10_000
/** The service says something every 15 s. Past this a connection is dead, whatever the system believes. */
export const SILENCE_MS = 35_000
/** How often an open connection is looked at. */
export const LOOK_MS = 5_000
/** A timer that is later than this has slept. */
export const SLEPT_MS = 10_000
/** When somebody looks at the page again, a connection that has said nothing for so long is not trusted. */
export const DOUBTFUL_MS = 20_000
/** While nothing is open the player is kept in the lobby by a call, this often. */
export const HEARTBEAT_MS = 10_000
/** Past this of silence a connection is called lost. */
export const LOST_MS = 30_000
/** A stream that ends younger than this without a word was cut by something between. */
export const YOUNG_MS = 20_000
/** Number of short streams in a row after which the network is assumed to cut or buffer streams. */
export const CUTS = 3
/** The longest wait of a poll that the service takes. */
export const POLL_SECONDS = 25
/** How long what was missed between two polls is read from the log. */
export const REPLAY_MS = 5_000
/** Number of failed replays in a row, after which the present lobby is shown. */
export const REPLAYS = 5

/** How long a call waits until what it did is told by the lobby's events; they come all the same. */
export const SETTLED_MS = 2_000
/** How often it is asked why the lobby still waits. */
export const EXPLAIN_EVERY_MS = 5_000
