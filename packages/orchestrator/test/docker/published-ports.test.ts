import { TIER_SIZES } from '@matchyard/core'
import { expect, it } from 'vitest'
import { type ContainerSpec, containerRequest, type Place } from '../../src/docker/container-request'
import { frontsIn, LABEL } from '../../src/docker/labels'

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
    { ...place, network: 'bridge', logBytes: 1_024, fronts: new Map() },
    { name: 'x', labels: {} },
  )
  expect(ExposedPorts).toEqual({ '7777/tcp': {}, '7777/udp': {} })
  const published = [{ HostPort: '20000' }]
  expect(HostConfig?.PortBindings).toEqual({ '7777/tcp': published, '7777/udp': published })
})

it('a container publishes a port with TLS for this machine alone', () => {
  const secure = { name: 'secure', protocol: 'tcp', internalPort: 7_777, tlsEnabled: true } as const
  const spec = {
    ...{ instanceId: 'srv_1', projectId: 'prj_1', matchId: null, region: 'iad', tier: '1x-1g', startupArgs: '' },
    ...{ tierSize: TIER_SIZES['1x-1g'], build: { type: 'docker_image', buildId: 'bld_1', image: 'game' } },
    ...{ networkPorts: [{ ...secure, externalPort: 20_000, host: 'h' }], portRequests: [secure], readiness: 'port' },
  } as ContainerSpec
  const image = { id: 'game', entrypoint: [], command: ['/game'], environment: [] } as unknown as Place['image']
  const place = { ...{ installationId: 'ins', image, configFile: '/c', root: undefined }, hasShell: false }
  const fronts = new Map([['secure', { port: 20_000, inner: 30_000 }]])
  const { Labels, HostConfig } = containerRequest(
    spec,
    { ...place, network: 'bridge', logBytes: 1_024, fronts },
    { name: 'x', labels: {} },
  )
  expect(HostConfig?.PortBindings).toEqual({ '7777/tcp': [{ HostIp: '127.0.0.1', HostPort: '30000' }] })
  expect(frontsIn(Labels?.[LABEL.fronts])).toEqual([{ port: 20_000, inner: 30_000 }])
})
