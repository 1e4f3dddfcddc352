import { TIER_SIZES } from '@matchyard/core'
import { expect, it } from 'vitest'
import { type ContainerSpec, containerRequest, type Place } from '../../src/docker/container-request'

it('a container publishes a port for both protocols under one number', () => {
  const both = { name: 'both', protocol: 'tcp+udp', internalPort: 7_777, tlsEnabled: false } as const
  const spec = {
    ...{ instanceId: 'srv_1', projectId: 'prj_1', matchId: null, region: 'iad', tier: '1x-1g', startupArgs: '' },
    ...{ tierSize: TIER_SIZES['1x-1g'], build: { type: 'docker_image', buildId: 'bld_1', image: 'game' } },
    ...{ networkPorts: [{ ...both, externalPort: 20_000, host: 'h' }], portRequests: [both], readiness: 'port' },
  } as ContainerSpec
  const image = { id: 'game', entrypoint: [], command: ['/game'], environment: [] } as unknown as Place['image']
  const place = { ...{ installationId: 'ins', image, configFile: '/c', root: undefined }, hasShell: false }
  const { ExposedPorts, HostConfig } = containerRequest(
    spec,
    { ...place, network: 'bridge', logBytes: 1_024 },
    { name: 'x', labels: {} },
  )
  expect(ExposedPorts).toEqual({ '7777/tcp': {}, '7777/udp': {} })
  const published = [{ HostPort: '20000' }]
  expect(HostConfig?.PortBindings).toEqual({ '7777/tcp': published, '7777/udp': published })
})
