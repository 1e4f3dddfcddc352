import type { ProjectProblem } from '@matchyard/client/admin'
import { expect, it } from 'vitest'
import { leadsOf } from '../src/page/rooms/problems/leads'

const problem = (code: ProjectProblem['code'], details: ProjectProblem['details']) =>
  ({ code, subject: { kind: 'queue', id: 'duel' }, details }) as ProjectProblem

it('a crash leads to the log and to the version that ran, a missing build to the settings that name it', () => {
  const ran = { version_tag: 'arena', build_id: 'bld_3', build_version: 3, instance_ids: ['srv_9', 'srv_8'] }
  expect(leadsOf(problem('servers_crashed', ran))).toEqual([
    { label: 'Open the log', path: ['servers', 'srv_9'] },
    { label: 'Roll back', path: ['builds', 'arena', 'bld_3'] },
  ])
  expect(leadsOf(problem('build_not_ready', { version_tag: 'arena' }))).toEqual([
    { label: 'Game server settings', path: ['queues', 'duel'], show: 'server' },
    { label: 'Open the build', path: ['builds', 'arena'] },
  ])
  expect(leadsOf(problem('players_wait', {}))).toEqual([{ label: 'Open the queue', path: ['queues', 'duel'] }])
})
