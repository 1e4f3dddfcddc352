import { Explainer, type Explanation } from '@matchyard/matchmaking'
import { type QueueTicket, toEngine } from '../lobby/queue-ticket'
import type { Comparison } from '../node/comparison'
import type { Service } from '../node/service'
import type { Ports } from '../ports/ports'
import { engineConfig } from '../queue/matchmaking'
import type { Queue } from '../queue/queue'

/** Others who wait that one is compared with: a share among them is the share among all within 7 points, 19 times of 20. */
export const SAMPLED_TICKETS = 256
/** Bytes of JSON of all of these; of large parties fewer are looked at. */
export const SAMPLED_BYTES = 256 * 1024
/** Milliseconds of the event loop for one answer; the parties examined until then are the answer. */
export const ANSWER_MS = 4
/** Milliseconds that the answers about one queue may take in a second; past it each looks at a few others only. */
export const ANSWERS_MS = 50
export const FEW_TICKETS = 16
/** Number of answers kept for repeated questions in the same second. */
const MAX_ANSWERS = 1_000

/** Some of those who wait in a queue, and what was said of tickets that asked how they compare. Good for a second. */
export class Crowd implements Comparison {
  private readonly answers = new Map<string, Explanation>()
  private spentMs = 0

  constructor(
    private readonly ctx: Ports,
    private readonly explainer: Explainer,
  ) {}

  explain(ticket: QueueTicket): Explanation {
    // The version tells a party whose players have changed.
    const key = `${ticket.id}/${ticket.version}`
    const known = this.answers.get(key)
    if (known !== undefined) return known
    const startedAt = this.ctx.clock.now()
    const answer = this.ask(ticket, startedAt)
    this.spentMs += this.ctx.clock.now() - startedAt
    if (this.answers.size < MAX_ANSWERS) this.answers.set(key, answer)
    return answer
  }

  private ask(ticket: QueueTicket, now: number): Explanation {
    const atMost = this.spentMs < ANSWERS_MS ? SAMPLED_TICKETS : FEW_TICKETS
    const steps = this.explainer.explain(toEngine(ticket), now, atMost)
    for (let step = steps.next(); ; step = steps.next(this.ctx.clock.now() - now >= ANSWER_MS)) {
      if (step.done === true) return step.value
    }
  }
}

/** The crowd of a queue, gathered at most once a second on this node; undefined where the queue has no matchmaking. */
export function crowdOf(ctx: Service, queue: Queue): Promise<Comparison | undefined> {
  // A queue that was deleted and made again begins with version 1 again.
  return ctx.node.crowds.get(`${queue.id} ${queue.createdAt} ${queue.version}`, async () => {
    if (queue.matchmaking === null) return undefined
    const [[waiting], sample] = await Promise.all([
      ctx.storage.tickets.waiting(queue.id),
      // One more than are looked at, as the one who asks may be among them.
      ctx.storage.tickets.sample(queue.id, SAMPLED_TICKETS + 1, SAMPLED_BYTES),
    ])
    return new Crowd(ctx, Explainer.of(engineConfig(queue), sample.map(toEngine), waiting?.parties ?? 0))
  })
}
