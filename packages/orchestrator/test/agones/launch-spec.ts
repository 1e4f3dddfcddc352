import { TIER_SIZES } from '@matchyard/core'
import type { LaunchSpec } from '@matchyard/core/ports'

/** Returns a launch of an image without ports; a test adds the fields that matter to it. */
export const launchSpec = (more: Partial<LaunchSpec> = {}): LaunchSpec => ({
  instanceId: 'srv_1',
  attempt: 1,
  projectId: 'prj_1',
  matchId: null,
  region: 'iad',
  tier: '1x-1g',
  tierSize: TIER_SIZES['1x-1g'],
  build: { type: 'docker_image', buildId: 'bld_1', image: `registry.test/game@sha256:${'0'.repeat(64)}` },
  startupArgs: '',
  networkPorts: [],
  portRequests: [],
  readiness: 'uptime',
  config: {},
  ...more,
})
