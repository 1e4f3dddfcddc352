import { createPool } from '../src/index'
import { filled, meanGap, repeat, sideBySide, time } from './measure'
import { firstFit, firstFitSeats, queueRoom } from './peers'
import { allRules, avoiding, difference, NOW, openSeats, parties, roles, singles } from './pools'
import { longestSlice } from './slices'

export interface Row {
  readonly work: string
  readonly ratio: string
  readonly target: string
  readonly met: boolean
  readonly detail: string
}

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`
const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`
const perSecond = (count: number, taken: number): string =>
  `${Math.round((count / taken) * 1000).toLocaleString('en')}/s`
const row = (work: string, ratio: number, target: string, met: boolean, detail: string, unit = 'x'): Row => ({
  work,
  ratio: `${ratio < 10 ? ratio.toFixed(2) : Math.round(ratio).toLocaleString('en')} ${unit}`,
  target,
  met,
  detail,
})

export const millionAgainstSort = (): Row => {
  const tickets = singles({ count: 1_000_000, versions: 20 })
  const values = Float64Array.from(tickets, (ticket) => ticket.players[0]?.state.mmr as number)
  const { ours, theirs } = sideBySide(
    {
      prepare: () => {
        const pool = filled(allRules(100), tickets)
        return () => pool.tickIds(NOW)
      },
    },
    {
      prepare: () => {
        const copy = values.slice()
        return () => copy.sort()
      },
    },
  )
  const ratio = ours.ms / theirs.ms
  const detail = `tick ${ms(ours.ms)}, sort ${ms(theirs.ms)}, matched ${percent(ours.result.ids.length / tickets.length)}`
  return row('1v1, 1,000,000 tickets, three rules, against Float64Array.sort', ratio, '≤ 2 x', ratio <= 2, detail)
}

/** Number of tickets of the row with lists. `MATCHYARD_BENCH_TICKETS` sets a smaller number for a busy machine. */
const AVOIDING = Number(process.env.MATCHYARD_BENCH_TICKETS ?? 1_000_000)

/** Returns a row for the processor time of a tick with an `avoid` rule over that of a tick without the rule. */
export const avoidLists = (): Row => {
  const tickets = avoiding(singles({ count: AVOIDING, versions: 20 }), 5)
  const without = allRules(100)
  const config = { ...without, rules: [...(without.rules ?? []), { type: 'avoid' as const }] }
  const seconds = (settings: typeof without) => {
    const pool = filled(settings, tickets)
    globalThis.gc?.()
    const before = process.cpuUsage()
    const matched = pool.tickIds(NOW).ids.length
    const { user, system } = process.cpuUsage(before)
    return { seconds: (user + system) / 1e6, matched }
  }
  const least = { ours: Number.POSITIVE_INFINITY, theirs: Number.POSITIVE_INFINITY }
  let matched = 0
  // The two sides take turns, so that other work of the machine slows both. The first run compiles the code.
  for (let run = 0; run <= 5; run++) {
    const ours = seconds(config)
    const theirs = seconds(without)
    matched = ours.matched
    if (run === 0) continue
    least.ours = Math.min(least.ours, ours.seconds)
    least.theirs = Math.min(least.theirs, theirs.seconds)
  }
  const ratio = least.ours / least.theirs
  const detail = `${ms(least.ours * 1000)} and ${ms(least.theirs * 1000)} of processor time; matched ${percent(matched / tickets.length)}`
  const work = `1v1, ${AVOIDING.toLocaleString('en')} tickets, three rules and lists of five players to avoid, against no lists`
  return row(work, ratio, '≤ 1.5 x', ratio <= 1.5, detail)
}

export const againstQueueRoom = (): Row[] => {
  const tickets = singles({ count: 100_000, versions: 20 })
  const one = sideBySide(
    {
      prepare: () => {
        const pool = filled(difference(100), tickets)
        return () => pool.tickIds(NOW)
      },
    },
    { prepare: () => queueRoom(tickets, 100, false) },
  )
  const speed = one.theirs.ms / one.ours.ms
  const three = sideBySide(
    {
      prepare: () => {
        const pool = filled(allRules(100), tickets)
        return () => pool.tickIds(NOW)
      },
    },
    { prepare: () => queueRoom(tickets, 100, true) },
  )
  const rate = three.ours.result.ids.length / Math.max(1, three.theirs.result.matched)
  const sorted = Float64Array.from(tickets, (ticket) => ticket.players[0]?.state.mmr as number).sort()
  let adjacent = 0
  for (let at = 0; at + 1 < sorted.length; at += 2) adjacent += (sorted[at + 1] as number) - (sorted[at] as number)
  const gap = meanGap(tickets, one.ours.result.ids)
  const best = adjacent / Math.floor(sorted.length / 2)
  return [
    row(
      '100,000 tickets, difference only, tickets/s against QueueRoom',
      speed,
      '≥ 3 x',
      speed >= 3,
      `ours ${ms(one.ours.ms)} (${perSecond(100_000, one.ours.ms)}), theirs ${ms(one.theirs.ms)}; matched ${percent(one.ours.result.ids.length / 100_000)} and ${percent(one.theirs.result.matched / 100_000)}`,
    ),
    row(
      '100,000 tickets, three rules, match rate against QueueRoom',
      rate,
      '≥ 2 x',
      rate >= 2,
      `ours ${percent(three.ours.result.ids.length / 100_000)} in ${ms(three.ours.ms)}, theirs ${percent(three.theirs.result.matched / 100_000)} in ${ms(three.theirs.ms)}`,
    ),
    row(
      'quality, difference only: mean gap against adjacent pairs of a sort',
      gap / best,
      '≤ 1.2 x',
      gap / best <= 1.2,
      `ours ${gap.toFixed(4)}, adjacent ${best.toFixed(4)}, QueueRoom ${one.theirs.result.gap.toFixed(4)}`,
    ),
  ]
}

export const stuckPool = (): Row[] => {
  const tickets = singles({ count: 100_000, versions: 100_000 })
  const arrivals = singles({ count: 100, versions: 100_000, seed: 99, idFrom: 100_000 })
  const config = allRules(100)
  const full = repeat(() => {
    const pool = filled(config, tickets)
    return () => pool.tickIds(NOW)
  })
  const after = repeat(() => {
    const pool = filled(config, tickets)
    pool.tickIds(NOW)
    for (const ticket of arrivals) pool.add(ticket)
    return () => pool.tickIds(NOW)
  })
  const naive = time(() => firstFit(tickets, 100))
  const unmatched = 1 - full.result.ids.length / tickets.length
  const ratio = naive.ms / full.ms
  const share = (after.ms / full.ms) * 100
  return [
    row(
      'stuck pool of 100,000, a full tick against naive first-fit',
      ratio,
      '≥ 1,000 x',
      ratio >= 1000,
      `ours ${ms(full.ms)}, naive ${ms(naive.ms)} (once); unmatched ${percent(unmatched)} and ${percent(1 - naive.result.matched / 100_000)}`,
    ),
    row(
      'stuck pool, a tick after 100 arrivals against a full one',
      share,
      '≤ 5 %',
      share <= 5,
      `${ms(after.ms)} against ${ms(full.ms)}`,
      '%',
    ),
  ]
}

/** Returns rows for matches that ask for one player, in a pool whose tickets have no match among themselves. */
export const seats = (): Row[] =>
  [100_000, 1_000].flatMap((versions) => {
    const config = allRules(versions === 1_000 ? 0.05 : 100)
    const tickets = singles({ count: 100_000, versions })
    const requests = openSeats({ count: 1_000, versions, seed: 7, idFrom: 1_000_000 })
    const arrivals = singles({ count: 100, versions, seed: 99, idFrom: 100_000 })
    const settled = () => {
      const pool = filled(config, tickets)
      const matched = new Set(pool.tickIds(NOW).ids)
      for (const request of requests) pool.addRequest(request)
      return { pool, left: tickets.filter(({ id }) => !matched.has(id)) }
    }
    const full = repeat(() => {
      const { pool } = settled()
      return () => pool.tick(NOW).length
    })
    const after = repeat(() => {
      const { pool } = settled()
      pool.tick(NOW)
      for (const ticket of arrivals) pool.add(ticket)
      return () => pool.tick(NOW).length
    })
    const { left } = settled()
    const naive = repeat(() => () => firstFitSeats(left, requests, versions === 1_000 ? 0.05 : 100))
    const ratio = naive.ms / full.ms
    const share = (after.ms / full.ms) * 100
    const where = `${left.length.toLocaleString('en')} left of 100,000, ${versions.toLocaleString('en')} versions`
    return [
      row(
        `1,000 requests for a seat come to tickets that found no match (${where}), against naive first-fit`,
        ratio,
        '≥ 20 x',
        ratio >= 20,
        `ours ${ms(full.ms)}, naive ${ms(naive.ms)}; filled ${full.result} and ${naive.result.filled}`,
      ),
      row(
        'the same, a tick after 100 arrivals',
        share,
        '≤ 50 %',
        share <= 50,
        `${ms(after.ms)} against ${ms(full.ms)}`,
        '%',
      ),
    ]
  })

export const narrowRule = (): Row => {
  const tickets = singles({ count: 100_000, versions: 20 })
  const ours = repeat(() => {
    const pool = filled(allRules(5), tickets)
    return () => pool.tickIds(NOW)
  })
  const naive = time(() => firstFit(tickets, 5))
  const ratio = naive.ms / ours.ms
  const points = (ours.result.ids.length - naive.result.matched) / 1000
  return row(
    'narrow rule (difference 5, 20 versions, regions), 100,000, against naive first-fit',
    ratio,
    '≥ 100 x and 3 points',
    ratio >= 100 && points >= 3,
    `ours ${ms(ours.ms)}, naive ${ms(naive.ms)} (once); matched ${percent(ours.result.ids.length / 100_000)} and ${percent(naive.result.matched / 100_000)}: ${points.toFixed(2)} points`,
  )
}

export const fiveAgainstFive = (): Row => {
  const tickets = parties(100_000)
  const players = tickets.reduce((sum, ticket) => sum + ticket.players.length, 0)
  const pairs = singles({ count: 100_000, versions: 20 })
  const { ours, theirs } = sideBySide(
    {
      prepare: () => {
        const pool = filled(roles, tickets)
        return () => pool.tick(NOW)
      },
    },
    {
      prepare: () => {
        const pool = filled(allRules(100), pairs)
        return () => pool.tick(NOW)
      },
    },
  )
  const matched = ours.result.length * 10
  const share = matched / ours.ms / ((theirs.result.length * 2) / theirs.ms)
  const split = ours.result.some(({ ticketIds, teams }) =>
    ticketIds.some((id) => teams.filter((team) => team.players.some((player) => player.ticketId === id)).length !== 1),
  )
  return row(
    '5v5, parties of 1 to 5, roles: players/s against 1v1, both with whole proposals',
    share,
    '≥ 0.20 x, no party split',
    share >= 0.2 && !split,
    `${perSecond(matched, ours.ms)} against ${perSecond(theirs.result.length * 2, theirs.ms)}; matched ${percent(matched / players)}; ${split ? 'A PARTY WAS SPLIT' : 'no party split'}`,
  )
}

/** Returns a row for the additional time of writing half a million complete proposals, over finding the matches. */
export const wholeProposals = (): Row => {
  const tickets = singles({ count: 1_000_000, versions: 20 })
  const config = allRules(100)
  const { ours, theirs } = sideBySide(
    {
      prepare: () => {
        const pool = filled(config, tickets)
        return () => pool.tick(NOW).length
      },
    },
    {
      prepare: () => {
        const pool = filled(config, tickets)
        return () => pool.tickIds(NOW).starts.length - 1
      },
    },
  )
  const ratio = ours.ms / theirs.ms
  const each = ((ours.ms - theirs.ms) * 1000) / ours.result
  return row(
    `1v1, ${theirs.result.toLocaleString('en')} pairs, three rules: whole proposals against their ids`,
    ratio,
    '≤ 5 x',
    ratio <= 5,
    `${ms(ours.ms)} against ${ms(theirs.ms)}: ${each.toFixed(2)} µs to write one out`,
  )
}

export const adding = (): Row => {
  const tickets = singles({ count: 200_000, versions: 20 })
  const timed = repeat(() => () => filled(allRules(100), tickets))
  const rate = tickets.length / timed.ms / 200
  return row(
    'pool.add, three rules, against 200,000 tickets/s',
    rate,
    '≥ 1 x',
    rate >= 1,
    perSecond(tickets.length, timed.ms),
  )
}

export const memory = (): Row => {
  const tickets = singles({ count: 1_000_000, versions: 20 })
  const used = () => {
    globalThis.gc?.()
    globalThis.gc?.()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
  const before = used()
  const pool = createPool(allRules(100))
  for (const ticket of tickets) pool.add(ticket)
  const bytes = (used() - before) / pool.size
  return row(
    'memory of a pool of 1,000,000 beyond the caller’s objects',
    bytes,
    '< 400 bytes a ticket',
    bytes < 400,
    globalThis.gc ? 'heap and array buffers, after collection' : 'run with --expose-gc',
    'bytes',
  )
}

/** Returns rows for one bucket of a million tickets, which all have one version. */
export const slices = (): Row[] => {
  const tickets = singles({ count: 1_000_000, versions: 1 })
  const shuffled = tickets.map((ticket, index) => ({ ...ticket, enteredAt: NOW - ((index * 7919) % 1_000_003) }))
  const cases = [
    ['three rules', allRules(100), tickets],
    ['three rules, entered in no order', allRules(100), shuffled],
    ['difference only', difference(100), tickets],
  ] as const
  return cases.map(([name, config, pool]) => {
    const { count, longest } = longestSlice(config, pool)
    return row(
      `longest slice of a sliced tick, one bucket of 1,000,000, ${name}`,
      longest,
      '< 8 ms',
      longest < 8,
      `${count} slices; each with its least time over the runs`,
      'ms',
    )
  })
}
