import { expect, test } from 'vitest'
import { TIERS } from '../../src/catalog/tiers'
import { historyCells } from '../../src/commit/history-cells'
import { EXIT_REASONS } from '../../src/lobby/last-exit'
import type { Match } from '../../src/match/match'
import { addedHistory, exitFigure, type Put } from '../../src/ports/storage/index'
import { WAIT_BUCKETS } from '../../src/reads/wait-buckets'

const AT = 20_000 * 86_400_000

// docs/limits.md has these numbers.
test('a queue has at most 71 rows of a minute besides its crashes, whatever is counted', () => {
  const puts = Array.from({ length: 400 }, (_, index): Put => {
    const waits = [{ lobbyId: 'lob_a', players: 1, waitedMs: Math.round(900 * 1.05 ** index) }]
    const put = {
      id: `mat_${index}`,
      projectId: 'prj_a',
      queueId: 'duel',
      version: 1,
      createdAt: AT,
      waits,
    } as unknown as Match
    return { kind: 'match', id: put.id, expected: 'absent', put }
  })
  const figures = EXIT_REASONS.map((reason) => exitFigure('prj_a/duel', reason, AT))
  const rows = addedHistory([...historyCells(AT, [], puts, figures), ...historyCells(AT, [], puts, figures)])
  const ofSeries = (series: string) => rows.filter((row) => row.series === series).length
  expect([ofSeries('waits'), ofSeries('matches'), ofSeries('exits')]).toEqual([40, 1, EXIT_REASONS.length])
  // One sample of the players who search, and one row of costs for each tier.
  expect(rows.length + 1 + TIERS.length).toBe(71)
  expect(WAIT_BUCKETS).toHaveLength(40)
  // Slots of a minute, 5 minutes, an hour and a day in one day.
  expect(71 * (1_440 + 288 + 24 + 1)).toBe(124_463)
  // The rows of a project with the sums over its queues have the three longer steps.
  expect(71 * (288 + 24 + 1)).toBe(22_223)
})
