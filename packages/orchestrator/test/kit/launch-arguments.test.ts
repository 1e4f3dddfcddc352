import type { LaunchSpec } from '@matchyard/core/ports'
import { expect, test } from 'vitest'
import { launchArguments, placeVariables } from '../../src/kit/launch-arguments'

const TRACE = `00-${'a'.repeat(32)}-${'1'.repeat(16)}-01`
const spec = (more: Partial<LaunchSpec>) =>
  ({ instanceId: 'srv_1', matchId: null, region: 'iad', networkPorts: [], startupArgs: '', ...more }) as LaunchSpec
const place = (more: Partial<LaunchSpec>) =>
  placeVariables(spec(more), { configFile: '/svc/its_svc.json', listensOn: ({ internalPort }) => internalPort })

test('a game server finds the place of its match in a trace, in its environment and for its arguments', () => {
  const variables = place({ trace: TRACE })
  expect(variables.get('TRACEPARENT')).toBe(TRACE)
  expect(launchArguments(spec({ startupArgs: '--trace ${TRACEPARENT}' }), variables)).toEqual(['--trace', TRACE])
})

test('where nobody traces there is no such variable', () => {
  expect([...place({}).keys()]).toEqual(['SVC_CONFIG_FILE'])
})
