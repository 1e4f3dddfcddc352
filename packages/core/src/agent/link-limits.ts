import { SECOND_MS } from '../shared/time'

/** Bounds of the link between the service and an agent, which both sides share. docs/limits.md lists them. */

/** Milliseconds for which calls of a machine wait for the next stream of its agent. After that they fail at once. */
export const RECONNECT_MS = 10 * SECOND_MS
/** Maximum number of calls of one machine without an answer. */
export const MAX_OPEN_CALLS = 1_024
/** Maximum bytes of one call as JSON. The largest calls are launches, with the configuration and the environment of a server. */
export const MAX_CALL_BYTES = 256 * 1_024
/** Maximum bytes as JSON of all calls of one machine without an answer. */
export const MAX_OPEN_CALL_BYTES = 16 * 1_024 * 1_024
/** Maximum number of instances to which `observe` limits an answer. With more instances the agent reports all of them. */
export const MAX_AMONG = 1_000
/** Milliseconds until a call without an answer fails. `stop` is answered as soon as the server was asked to stop. */
export const CALL_TIMEOUT_MS = 10 * SECOND_MS
/** Milliseconds until a launch without an answer counts as away. The same attempt is then launched again. */
export const LAUNCH_TIMEOUT_MS = 20 * SECOND_MS
/** Milliseconds until the check of a container image without an answer fails. The machine may download the image meanwhile. */
export const IMAGE_TIMEOUT_MS = 600 * SECOND_MS

/** Maximum hints of one batch that the service passes on. Past it the listeners get one hint without an instance. */
export const MAX_BATCH_HINTS = 4_096
/** Maximum characters of the id of an instance that an agent reports. */
export const MAX_INSTANCE_ID = 128
/** Maximum processes in one answer to `observe`. A longer answer is refused as a whole. */
export const MAX_OBSERVED = 8_192
/** Maximum characters of a sentence that an agent reports, such as an error. Longer sentences are cut. */
export const MAX_SENTENCE = 1_000
/** Maximum characters of one log line that an agent reports. A longer line is cut. */
export const MAX_REPORTED_LINE = 64 * 1_024

/** Maximum calls of all sessions that an agent carries out at once. */
export const MAX_HANDS = 64
/** Maximum calls among these that may take long: launches, checks of images, warm servers and removals of files. */
export const MAX_SLOW_HANDS = 48
/** Maximum number of calls that an agent has not carried out, and of answers that the service has not taken, added up. */
export const MAX_OPEN_ANSWERS = 2_048
/**
 * Maximum bytes as JSON of the calls that an agent has not carried out. After a reconnection, calls of the stream before may still run beside
 * all calls that the service sends again.
 */
export const MAX_QUEUED_CALL_BYTES = 2 * MAX_OPEN_CALL_BYTES
/** Maximum bytes as JSON of the answers that the service has not taken. Past it the agent carries out no new calls. */
export const MAX_OPEN_ANSWER_BYTES = 4 * 1_024 * 1_024
/** Maximum number of refusals that an agent keeps besides these answers. Past it further calls get no answer. */
export const MAX_REFUSALS = 1_024
/** Maximum bytes of one answer as JSON. Log lines are cut to it, oldest first; other answers past it become errors. */
export const MAX_REPORT_BYTES = 1_024 * 1_024
/** Maximum bytes of the answers in one batch as JSON. A batch has at least one answer. */
export const MAX_BATCH_BYTES = 1_024 * 1_024
/** Maximum hints that an agent keeps for the next batches. Past it they are replaced by one hint without an instance. */
export const MAX_KEPT_HINTS = 4_096
/** Maximum hints that an agent sends in one batch. */
export const MAX_SENT_HINTS = 1_000
/** Milliseconds between two reports of the load. The batch is sent even when nothing else is reported, as a sign of life. */
export const LOAD_EVERY_MS = 10 * SECOND_MS
/** Milliseconds after which a batch without an answer is sent again. */
export const SEND_TIMEOUT_MS = 15 * SECOND_MS
/** Milliseconds from a failed batch to the next try: the first wait, which doubles up to the longest. */
export const SEND_AGAIN_MS = { first: 100, longest: 5 * SECOND_MS } as const
