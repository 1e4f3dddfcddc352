import { fakePlatform } from '@matchyard/testkit'
import { expect, test } from 'vitest'
import { MAX_PARTIES, refusalsTold } from '../src/service/refusals-told'

function setUp() {
  const { clock, timers } = fakePlatform()
  const lines: { level: string; msg: string; fields: unknown }[] = []
  const say = (level: string) => (msg: string, fields?: unknown) => void lines.push({ level, msg, fields })
  const logger = { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') }
  return { clock, lines, tell: refusalsTold(logger, clock, timers) }
}

test('refused calls are told in one line a second, with how many and whose the most were', () => {
  const { clock, lines, tell } = setUp()
  for (let n = 0; n < 300; n++) tell('begins', { account: 'acc', project: 'prj', key: 'key', address: '10.0.0.1' })
  for (let n = 0; n < 20; n++) tell('goesOn', { account: '', project: '', key: '', address: '10.0.0.2' })
  tell('ends', { account: 'acc', project: '', key: 'ses', address: '10.0.0.3' })
  tell('ends', { account: 'of prj', project: 'prj', key: 'server srv', address: '10.0.0.4' })
  expect(lines).toMatchObject([{ level: 'warn' }])
  clock.advance(1_000)
  expect(lines.slice(1)).toEqual([
    {
      level: 'info',
      msg: 'calls were refused',
      fields: {
        by_rank: { begins: 300, goesOn: 20, ends: 2 },
        most: [
          { count: 300, address: '10.0.0.1', project_id: 'prj', key_id: 'key' },
          { count: 20, address: '10.0.0.2' },
          { count: 1, address: '10.0.0.3', account_id: 'acc' },
          { count: 1, address: '10.0.0.4', project_id: 'prj', instance_id: 'srv' },
        ],
      },
    },
  ])
  clock.advance(60_000)
  expect(lines.length).toBe(2)
})

test('of more parties than are told apart all refusals are counted, and five are named', () => {
  const { clock, lines, tell } = setUp()
  for (let n = 0; n < 2 * MAX_PARTIES; n++)
    tell('begins', { account: '', project: '', key: '', address: `address ${n}` })
  clock.advance(1_000)
  expect(lines[1]?.fields).toMatchObject({ by_rank: { begins: 2 * MAX_PARTIES } })
  expect(lines[1]?.fields).toHaveProperty('most.length', 5)
})
