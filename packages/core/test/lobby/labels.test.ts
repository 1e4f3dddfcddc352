import { describe, expect, it } from 'vitest'
import { lobbyLabels } from '../../src/lobby/labels'
import type { Lobby } from '../../src/lobby/lobby'

const labelsOf = (settings: Lobby['settings']) =>
  lobbyLabels({
    ...({
      projectId: 'prj',
      queueId: 'duel',
      status: 'waiting',
      isPrivate: true,
      players: [],
      maxPlayers: 4,
    } as unknown as Lobby),
    settings,
  })

describe('the labels of a lobby', () => {
  it('hold its settings that are one short value, and no others', () => {
    const settings = { map: 'cave', ranked: true, rounds: 3, none: null, list: [1], object: {}, long: 'x'.repeat(127) }
    expect(labelsOf({ ...settings, [`k${'x'.repeat(62)}`]: 1 })).toEqual([
      's["prj","map","cave"]',
      's["prj","ranked",true]',
      's["prj","rounds",3]',
      's["prj","none",null]',
    ])
  })

  it('hold the first 16 of many settings', () => {
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`key${index}`, index]))
    expect(labelsOf(many)).toEqual(Array.from({ length: 16 }, (_, index) => `s["prj","key${index}",${index}]`))
  })
})
