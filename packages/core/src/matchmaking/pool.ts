import { explainTicket } from './explain'
import { partyCheck } from './party'
import { levelAt, planOf } from './plan'
import { simpleSearch } from './simple-search'
import type { MatchmakingConfig, Pool, Proposal, Ticket } from './types'

/** A pool of waiting tickets for one queue. The settings must pass `validateConfig`. */
export const createPool = (config: MatchmakingConfig): Pool => {
  const plan = planOf(config)
  const tickets = new Map<string, Ticket>()
  const tick = (now: number): Proposal[] => {
    const able = [...tickets.values()].filter((ticket) => partyCheck(plan, ticket.players).ok)
    const proposals = simpleSearch(config, plan, able, now)
    for (const { ticketIds } of proposals) for (const id of ticketIds) tickets.delete(id)
    return proposals
  }
  const add = (ticket: Ticket): void => {
    tickets.set(ticket.id, ticket)
  }
  return {
    get size() {
      return tickets.size
    },
    add,
    update: add,
    remove: (id) => tickets.delete(id),
    has: (id) => tickets.has(id),
    tick,
    // biome-ignore lint/correctness/useYield: a first version in one slice
    *tickSliced(now) {
      return tick(now)
    },
    tickIds: (now) => {
      const proposals = tick(now)
      const starts = [0]
      for (const { ticketIds } of proposals) starts.push((starts.at(-1) as number) + ticketIds.length)
      return { ids: proposals.flatMap((proposal) => proposal.ticketIds), starts }
    },
    nextDueAt: (now) => {
      let next: number | undefined
      for (const { enteredAt } of tickets.values()) {
        const due = [plan.thresholds[levelAt(plan, enteredAt, now)], plan.short ? plan.partialAfterMs : undefined]
        for (const wait of due) {
          const at = enteredAt + (wait ?? Number.NaN)
          if (at > now && (next === undefined || at < next)) next = at
        }
      }
      return next
    },
    explain: (id, now) => {
      const ticket = tickets.get(id)
      return ticket && explainTicket(plan, ticket, [...tickets.values()], now)
    },
  }
}
