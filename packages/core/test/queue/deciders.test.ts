import { describe, expect, it } from 'vitest'
import type { Decision } from '../../src/errors/decision'
import {
  admitParty,
  admitVersion,
  buildToLaunch,
  mayAskForPlayers,
  mayLaunch,
  playersWithin,
  versionOfParty,
} from '../../src/queue/decide'
import type { Queue } from '../../src/queue/queue'

const matchmaking = { teams: 2, playersPerTeam: 1, rules: [] }
const aQueue = (parts: object = {}): Queue =>
  ({ queueId: 'duel', maxPlayers: 8, enabled: true, matchmaking, serverSettings: null, ...parts }) as unknown as Queue
const rejected = (decision: Decision<unknown>) => (decision.ok ? undefined : decision.rejected)

describe('the maximum of a lobby', () => {
  it.each([1, 8])('may be %i', (maxPlayers) => {
    expect(playersWithin(aQueue(), maxPlayers).ok).toBe(true)
  })

  it.each([0, 9, 1.5, Number.NaN])('may not be %d', (maxPlayers) => {
    const details = { issues: [{ path: 'maxPlayers' }] }
    expect(rejected(playersWithin(aQueue(), maxPlayers))).toMatchObject({ code: 'VALIDATION_FAILED', details })
  })
})

describe('a party', () => {
  const party = (...playerIds: string[]) => ({
    lobbyId: 'lob_1',
    players: playerIds.map((playerId) => ({ playerId, state: { mmr: playerId.length } })),
  })

  it('needs matchmaking', () => {
    const queue = aQueue({ matchmaking: null })
    expect(rejected(admitParty(queue, party('ann')))?.code).toBe('MATCHMAKING_NOT_CONFIGURED')
    expect(rejected(mayAskForPlayers(queue))?.code).toBe('MATCHMAKING_NOT_CONFIGURED')
    expect(mayAskForPlayers(aQueue()).ok).toBe(true)
  })

  it('is admitted when a team has a place for it and no rule separates it', () => {
    const rules = [{ type: 'difference', field: 'mmr', maxDifference: 1 }]
    const duo = aQueue({ matchmaking: { ...matchmaking, playersPerTeam: 2, rules } })
    expect(admitParty(duo, party('ann', 'bob')).ok).toBe(true)
    expect(rejected(admitParty(aQueue(), party('ann', 'bob')))).toMatchObject({
      code: 'PARTY_TOO_LARGE',
      detail: expect.stringContaining('2 players'),
    })
    expect(rejected(admitParty(duo, party('ann', 'robert')))).toMatchObject({
      code: 'PARTY_CANNOT_MATCH',
      details: { rule: 'difference', field: 'mmr' },
    })
  })
})

describe('the version of a party', () => {
  const versioned = aQueue({
    matchmaking: { ...matchmaking, useVersionFromState: true, allowedVersions: ['1.0'] },
    serverSettings: { versionTag: 'arena', version: 3 },
  })

  it('is the text in the state of its host, when the queue uses it', () => {
    const host = { state: { game_version: '1.0' } }
    expect(versionOfParty(versioned, host)).toBe('1.0')
    expect(versionOfParty(aQueue(), host)).toBeNull()
    expect(versionOfParty(versioned, { state: { game_version: 7 } })).toBeNull()
    expect(versionOfParty(versioned, undefined)).toBeNull()
  })

  it('must be allowed for a direct start', () => {
    expect(admitVersion(versioned, 'lob_1', '1.0').ok).toBe(true)
    expect(admitVersion(versioned, 'lob_1', null).ok).toBe(true)
    expect(rejected(admitVersion(versioned, 'lob_1', '2.0'))).toMatchObject({ details: { rule: 'version' } })
  })

  it('names the build; the pinned version holds for the build of the settings alone', () => {
    expect(buildToLaunch(versioned, null, true)).toEqual({ versionTag: 'arena', pinnedVersion: 3 })
    expect(buildToLaunch(versioned, 'beta', true)).toEqual({ versionTag: 'beta' })
    expect(Object.keys(buildToLaunch(versioned, 'beta', true) ?? {})).toEqual(['versionTag'])
    expect(buildToLaunch(versioned, null, false)).toBeUndefined()
    expect(buildToLaunch(aQueue({ serverSettings: {} }), null, true)).toBeUndefined()
    expect(buildToLaunch(aQueue({ serverSettings: { source: 'external' } }), 'beta', true)).toBeUndefined()
  })

  it('decides whether a queue without a build may launch', () => {
    expect(mayLaunch(versioned, true)).toBe(true)
    expect(mayLaunch(aQueue({ serverSettings: {} }), true)).toBe(false)
    expect(mayLaunch(aQueue({ matchmaking: null, serverSettings: {} }), true)).toBe(false)
    const byState = { ...matchmaking, useVersionFromState: true }
    expect(mayLaunch(aQueue({ matchmaking: byState, serverSettings: {} }), true)).toBe(true)
  })
})
