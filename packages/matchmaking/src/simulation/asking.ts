import type { Proposal, Ticket } from '../types'
import type { Agenda } from './agenda'
import type { Live } from './scenario'

/** A proposed match with its tickets. */
export interface Found {
  readonly proposal: Proposal
  readonly tickets: readonly Ticket[]
}

/**
 * Callbacks for the result of a ready check. `made` receives a match that all players accepted; `back` receives the
 * tickets that return to the queue.
 */
interface Outcomes {
  readonly made: (found: Found) => void
  readonly back: (tickets: readonly Ticket[]) => void
}

export interface AskingFigures {
  readonly proposals: number
  readonly accepted: number
  readonly declined: number
  readonly expired: number
  /** Number of parties that left the queue because a player declined or did not answer. */
  readonly partiesLeft: number
}

type Answer = 'accepted' | 'declined' | 'silent'

/** Asks the players of each proposed match to accept, as a queue with a ready check does (see docs/matchmaking.md). */
export class Asking {
  private readonly counts = { proposals: 0, accepted: 0, declined: 0, expired: 0, partiesLeft: 0 }

  constructor(
    private readonly live: Live,
    private readonly timeoutSeconds: number,
    private readonly agenda: Agenda,
    private readonly random: () => number,
    private readonly outcomes: Outcomes,
  ) {}

  get figures(): AskingFigures {
    return this.counts
  }

  ask(found: Found, now: number): void {
    this.counts.proposals++
    const answers = found.tickets.flatMap((ticket) => ticket.players.map(() => ({ ticket, ...this.answer(now) })))
    const of = (answer: Answer) => answers.filter((one) => one.answer === answer).sort((a, b) => a.at - b.at)
    const [decline] = of('declined')
    const silent = of('silent').map(({ ticket }) => ticket)
    if (decline !== undefined) {
      this.agenda.at(decline.at, () => this.end('declined', found, [decline.ticket]))
    } else if (silent.length > 0) {
      this.agenda.at(now + this.timeoutSeconds * 1_000, () => this.end('expired', found, silent))
    } else {
      this.agenda.at(of('accepted').at(-1)?.at ?? now, () => {
        this.counts.accepted++
        this.outcomes.made(found)
      })
    }
  }

  private answer(now: number): { readonly answer: Answer; readonly at: number } {
    const { decline, silent, answerSeconds } = this.live
    const draw = this.random()
    const at = now + this.random() * Math.min(answerSeconds, this.timeoutSeconds) * 1_000
    return { at, answer: draw < decline ? 'declined' : draw < decline + silent ? 'silent' : 'accepted' }
  }

  /**
   * Ends a ready check that failed: the ticket of the first player who declined leaves, or else the tickets of the
   * players who did not answer (`causing`). All other tickets return to the queue with their old age.
   */
  private end(how: 'declined' | 'expired', { tickets }: Found, causing: readonly Ticket[]): void {
    const out = new Set(causing)
    this.counts[how]++
    this.counts.partiesLeft += out.size
    this.outcomes.back(tickets.filter((ticket) => !out.has(ticket)))
  }
}
