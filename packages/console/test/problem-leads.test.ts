import type { ProjectProblem } from '@matchyard/client/admin'
import { expect, it } from 'vitest'
import { leadsOf } from '../src/page/rooms/problems/leads'

const problem = (code: ProjectProblem['code'], details: ProjectProblem['details']) =>
  ({ code, subject: { kind: 'queue', id: 'duel' }, details }) as ProjectProblem

const PAUSE = { label: 'Pause the queue', path: ['queues', 'duel'], query: { show: 'lobbies' } }

it('a crash leads to the log and to the version that ran, a missing build to the settings that name it', () => {
  const ran = { version_tag: 'arena', build_id: 'bld_3', build_version: 3, instance_ids: ['srv_9', 'srv_8'] }
  expect(leadsOf(problem('servers_crashed', ran), false)).toEqual([
    { label: 'Open the log', path: ['servers', 'srv_9'] },
    {
      label: 'Crashed matches',
      path: ['matches'],
      query: { show: 'past', build: 'arena@3', reason: 'server_failed' },
    },
    { label: 'Roll back', path: ['builds', 'arena', 'bld_3'] },
    PAUSE,
  ])
  expect(leadsOf(problem('build_not_ready', { version_tag: 'arena' }), false)).toEqual([
    { label: 'Game server settings', path: ['queues', 'duel'], query: { show: 'server' } },
    { label: 'Open the build', path: ['builds', 'arena'] },
    PAUSE,
  ])
  expect(leadsOf(problem('players_wait', {}), true)).toEqual([
    { label: 'Open the queue', path: ['queues', 'duel'] },
    PAUSE,
  ])
})

it('a budget leads to its form', () => {
  const near = { code: 'budget_near', subject: { kind: 'project', id: 'prj_1' }, details: {} } as ProjectProblem
  expect(leadsOf(near, false)).toEqual([{ label: 'Open the budget', path: ['usage'] }])
})

it('operators get links to the machine that fails, and to the machines for a region that waits', () => {
  const paused = { code: 'machine_paused', subject: { kind: 'node', id: 'fra-1' }, details: {} } as ProjectProblem
  expect(leadsOf(paused, true)).toEqual([{ label: 'Open the machine', path: ['machines', 'fra-1'] }])
  expect(leadsOf(paused, false)).toEqual([{ label: 'Open the servers', path: ['servers'] }])
  const queue = { label: 'Open the queue', path: ['queues', 'duel'] }
  const waits = problem('players_wait', { region: 'ams' })
  const machines = { label: 'Open the machines', path: ['machines'] }
  expect(leadsOf(waits, true)).toEqual([{ ...machines, query: { find: 'ams' } }, queue, PAUSE])
  expect(leadsOf(problem('waiting_for_room', {}), true)).toEqual([machines, queue, PAUSE])
  expect(leadsOf(waits, false)).toEqual([queue, PAUSE])
})
