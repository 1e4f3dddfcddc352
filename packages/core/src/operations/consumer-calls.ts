import type { ConsumeHandler } from '../consumer/message'
import type { Consumption } from '../use-cases/consumers/consume-messages'
import type { ConsumeInput, OfConsumer } from '../use-cases/consumers/register-consumer'

/** Calls about the consumers of a project, which handle events of its matches in the process. They have no routes. */
export interface ConsumerCalls {
  /**
   * Handles each event of the project's matches in `handler`, at least once, even after a crash. The commit of an event also stores its
   * message. Messages about one match come one after the other in their order; up to 8 matches are handled at the same time on each node.
   * The handler runs on any node that called `consume` with this name. When it throws, or takes longer than a minute, the message comes again
   * after a backoff of 250 ms to 30 s. A later message of the same match and type replaces one that still waits, because the handler gets the
   * match in its present state.
   *
   * A call that takes longer than a minute still runs, and counts among the 8. Until it ends, this node starts no other call for its match;
   * another node may. `stop` waits up to 10 seconds for the handlers that run.
   *
   * The first call with a name begins with the events after it, and the consumer stays until `removeConsumer`. The types of the last call hold
   * for all nodes: waiting messages of other types are left out. Messages wait as long as their match is stored (`matchRetentionDays`).
   * Throws PROJECT_NOT_FOUND, VALIDATION_FAILED, and TypeError when this node has a handler already.
   */
  consume(input: ConsumeInput, handler: ConsumeHandler): Promise<Consumption>

  /**
   * Removes a consumer and its messages. A consumer that is added again with the name gets none of them. A consumer that does not exist changes
   * nothing. Throws PROJECT_NOT_FOUND.
   */
  removeConsumer(input: OfConsumer): Promise<void>
}
