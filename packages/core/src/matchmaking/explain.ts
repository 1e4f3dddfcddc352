import { rulingTicket } from './match-region'
import { missingPlaces } from './missing-places'
import { versionOf } from './party'
import { byAge, levelAt, type Plan, VERSION_FIELD } from './plan'
import type { Explanation, Ticket } from './types'

/** Looks at every rule between a ticket and each other waiting one, alone and together. */
export const explainTicket = (plan: Plan, ticket: Ticket, waiting: readonly Ticket[], now: number): Explanation => {
  const others = waiting.filter((other) => other.id !== ticket.id)
  const looks = plan.rules.map(({ rule, kind, field, bounds, off }) => ({
    type: rule.type as string,
    field,
    pass: (other: Ticket): boolean => {
      const pair = [ticket, other].sort(byAge)
      const level = levelAt(plan, rulingTicket(plan, pair).enteredAt, now)
      if (off[level] || kind.shape === 'teams') return true
      const values = pair.flatMap(({ players }) => players.map((player) => kind.read(player.state, rule)))
      return kind.holds(
        values.filter((value) => value !== undefined),
        bounds[level] as number,
      )
    },
  }))
  if (plan.versioned) {
    const version = versionOf(plan, ticket.players)
    looks.unshift({
      type: 'version',
      field: VERSION_FIELD,
      pass: (other) => version !== undefined && versionOf(plan, other.players) === version,
    })
  }
  const fitting = others.filter((other) => looks.every((look) => look.pass(other))).sort(byAge)
  const due = plan.thresholds
    .concat(plan.short ? [plan.partialAfterMs] : [])
    .map((wait) => ticket.enteredAt + wait - now)
  const next = Math.min(...due.filter((wait) => wait > 0))
  return {
    ticketId: ticket.id,
    waitedSeconds: Math.max(0, now - ticket.enteredAt) / 1000,
    rules: looks.map(({ type, field, pass }) => {
      const passing = others.filter(pass).length
      return { type, field, passing, failing: others.length - passing }
    }),
    fittingAll: fitting.length,
    missing: missingPlaces(plan, [ticket, ...fitting]),
    nextRelaxationSeconds: Number.isFinite(next) ? next / 1000 : null,
  }
}
