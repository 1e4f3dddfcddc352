import { costOf } from '../../src/fairness/cost'
import type { Party } from '../../src/fairness/party'
import { Admission } from '../../src/middleware/admission'
import { loadOf } from '../../src/middleware/load'
import { Turns } from '../../src/turns'

/** Milliseconds that the process spends on a call that it begins, and on a call that it refuses. */
const COST_MS = 0.5
const REFUSAL_MS = 0.05
/** Milliseconds from the end of a call to the arrival of its caller's next call, without a pause. */
const AGAIN_MS = 0.2

const LOAD = loadOf('lobbies.updateSettings', 'patch')

/** Callers without a pause: each sends its next call when the previous one is answered. */
export interface Crowd {
  readonly callers: number
  /** Returns the party of a caller, by the caller's number. */
  readonly party: (caller: number) => Party
  /** Milliseconds that a caller pauses between an answer and its next call; default 0. */
  readonly restMs?: number
  /** Length of an answer, which determines its cost; default: a small answer. */
  readonly answerBytes?: number
}

export interface Seen {
  answered: number
  refused: number
  /** Durations of the answered calls in milliseconds, in ascending order. */
  readonly took: number[]
}

/**
 * One process under a virtual clock, like Node's event loop: it takes all calls that have arrived, then runs its turn,
 * then its timers. Work advances the clock; without work the clock jumps to the next call or timer.
 */
export class CrowdedLoop {
  private nowMs = 0
  private readonly timers: { readonly at: number; readonly callback: () => void }[] = []
  private immediates: (() => void)[] = []
  private arrivals: { readonly at: number; readonly send: () => void }[] = []
  private readonly clock = { now: () => Math.floor(this.nowMs) }
  private readonly turns = new Turns(this.clock, (callback) => void this.immediates.push(callback))
  private readonly admission = new Admission(
    {},
    this.clock,
    {
      after: (ms, callback) => {
        this.timers.push({ at: this.nowMs + ms, callback })
        return () => {}
      },
    },
    this.turns,
  )

  /** Lets crowds call for `ms` milliseconds. Returns the results of each crowd in the time after `settledMs`. */
  run(crowds: readonly Crowd[], ms: number, settledMs: number): Seen[] {
    const [from, until] = [this.nowMs + settledMs, this.nowMs + ms]
    this.arrivals = []
    const seen = crowds.map((crowd) => {
      const { callers, restMs = 0 } = crowd
      const told: Seen = { answered: 0, refused: 0, took: [] }
      for (let caller = 0; caller < callers; caller++) this.call(crowd, caller, told, from, (restMs * caller) / callers)
      return told
    })
    while (this.nowMs < until) this.turn()
    for (const { took } of seen) took.sort((a, b) => a - b)
    return seen
  }

  private call(crowd: Crowd, caller: number, told: Seen, from: number, pauseMs = crowd.restMs ?? 0): void {
    const { answerBytes = 0 } = crowd
    const party = () => crowd.party(caller)
    const sentAt = this.nowMs + pauseMs
    const send = () => {
      const begin = () => {
        const whose = this.admission.isSharing(LOAD) ? party() : undefined
        const refused = this.admission.enter(LOAD, this.clock.now(), whose) !== undefined
        this.nowMs += refused ? REFUSAL_MS : COST_MS * (1 + costOf(answerBytes))
        if (!refused) {
          this.admission.leave(LOAD, 1, whose, answerBytes)
          this.turns.charge(answerBytes, party)
        }
        if (this.nowMs >= from) {
          told[refused ? 'refused' : 'answered']++
          if (!refused) told.took.push(this.nowMs - sentAt)
        }
        this.call(crowd, caller, told, from)
      }
      this.turns.take(begin, (now, whose) => this.admission.isTooLate(LOAD, now, whose), party)
    }
    this.arrivals.push({ at: sentAt + AGAIN_MS, send })
  }

  private turn(): void {
    const now = this.nowMs
    const come = this.arrivals.filter(({ at }) => at <= now)
    this.arrivals = this.arrivals.filter(({ at }) => at > now)
    for (const { send } of come) send()
    const due = this.immediates
    this.immediates = []
    for (const callback of due) callback()
    for (const timer of this.timers.filter(({ at }) => at <= this.nowMs)) {
      this.timers.splice(this.timers.indexOf(timer), 1)
      timer.callback()
    }
    if (come.length > 0 || due.length > 0) return
    const next = Math.min(...this.arrivals.map(({ at }) => at), ...this.timers.map(({ at }) => at))
    this.nowMs = Math.max(this.nowMs, next)
  }
}
