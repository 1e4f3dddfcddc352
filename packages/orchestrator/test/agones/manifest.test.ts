import type { LaunchSpec } from '@matchyard/core/ports'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { gameServerManifest } from '../../src/agones/manifest'
import { gameServerName, launchMark, noteName } from '../../src/agones/names'
import { testCluster } from '../../src/agones/testing/index'
import { expanded } from '../../src/agones/testing/process-runtime'
import { call, SERVERS } from './api-client'
import { launchSpec } from './launch-spec'

const DUEL: Partial<LaunchSpec> = {
  instanceId: 'srv_Ab1',
  matchId: 'mat_1',
  portRequests: [{ name: 'game', protocol: 'udp', internalPort: 7_777, tlsEnabled: false }],
  readiness: 'port',
  config: { token: 'a secret of this server' },
}

const manifestOf = (more: Partial<LaunchSpec> = {}) => {
  const settings = { installationId: 'ins', template: {}, health: undefined, imagePullSecrets: ['pull'] }
  // biome-ignore lint/suspicious/noExplicitAny: it is read as the cluster does
  return gameServerManifest(launchSpec({ ...DUEL, ...more }), settings) as any
}

describe('a game server’s manifest', () => {
  test('asks Agones for one number where a port is for both protocols', () => {
    const protocols = (['udp', 'tcp', 'tcp+udp'] as const).map((protocol) => {
      const portRequests = [{ name: 'game', protocol, internalPort: 7_777, tlsEnabled: false }]
      return manifestOf({ portRequests }).spec.ports[0].protocol
    })
    expect(protocols).toEqual(['UDP', 'TCP', 'TCPUDP'])
  })

  test('hands on the place of its match in a trace, where it has one', () => {
    const trace = `00-${'a'.repeat(32)}-${'1'.repeat(16)}-01`
    const found = (more: Partial<LaunchSpec>) =>
      manifestOf(more).spec.template.spec.containers[0].env.filter(
        ({ name }: { name: string }) => name === 'TRACEPARENT',
      )
    expect([found({ trace }), found({})]).toEqual([[{ name: 'TRACEPARENT', value: trace }], []])
  })

  test('has no value of a secret, and doubles each $ of the other values', () => {
    const environment = { PLAIN: 'a $(HOME) $$', PASSWORD: 'hidden' }
    const manifest = manifestOf({ environment, secretVariables: ['PASSWORD'], stopGraceSeconds: 30 })
    const { terminationGracePeriodSeconds, containers } = manifest.spec.template.spec
    const secretKeyRef = { name: manifest.metadata.name, key: 'env.PASSWORD' }
    expect(containers[0].env.slice(-2)).toEqual([
      { name: 'PLAIN', value: 'a $$(HOME) $$$$' },
      { name: 'PASSWORD', valueFrom: { secretKeyRef } },
    ])
    expect(terminationGracePeriodSeconds).toBe(30)
    expect(JSON.stringify(manifest)).not.toContain('hidden')
  })

  test('is taken by the cluster’s schema, whatever an instance, a match and a port are called', async () => {
    const cluster = await testCluster()
    const id = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/)
    const name = fc.string({ minLength: 1, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(id, fc.string(), fc.uniqueArray(name, { maxLength: 5 }), async (instanceId, matchId, names) => {
        const portRequests = names.map((one, i) => ({
          name: one,
          protocol: 'udp' as const,
          internalPort: 1 + i,
          tlsEnabled: false,
        }))
        const answer = await call(
          cluster,
          'POST',
          `${SERVERS}?dryRun=All`,
          manifestOf({ instanceId, matchId, portRequests }),
        )
        expect([answer.code, answer.body.message]).toEqual([201, undefined])
        expect(launchMark(answer.body.metadata, 'ins')).toEqual({ instanceId, attempt: 1 })
        expect(launchMark(answer.body.metadata, 'another')).toBeUndefined()
      }),
      { numRuns: 100 },
    )
    await cluster.close()
  })

  test('holds nothing of the configuration', () => {
    expect(JSON.stringify(manifestOf())).not.toContain('a secret of this server')
  })

  test('has arguments that come through the platform’s own replacing as they were meant', () => {
    const { env, args } = manifestOf({ startupArgs: '-p ${PORT_GAME} "$(HOME) $$(x) $$$(HOME)" $${REGION} ${REGION}' })
      .spec.template.spec.containers[0]
    const environment = Object.fromEntries(env.map(({ name, value }: { name: string; value: string }) => [name, value]))
    const told = args.map((one: string) => expanded(one, environment))
    expect(told).toEqual(['-p', '7777', '$(HOME) $$(x) $$$(HOME)', '${REGION}', 'iad'])
  })

  test('never asks for a health check or a restart that nobody wanted', () => {
    const { spec: server } = manifestOf()
    expect(server.health).toEqual({ disabled: true })
    expect(server.template.spec).toMatchObject({ restartPolicy: 'Never', imagePullSecrets: [{ name: 'pull' }] })
  })

  test('leaves the account and its token to Agones, whose sidecar cannot live without them', () => {
    const { spec } = manifestOf().spec.template
    expect(Object.keys(spec)).not.toContain('automountServiceAccountToken')
    expect(Object.keys(spec)).not.toContain('serviceAccountName')
  })
})

test('names are the cluster’s, and differ wherever installation, instance, attempt or purpose do', () => {
  const id = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/)
  fc.assert(
    fc.property(id, id, fc.integer({ min: 1, max: 99 }), (a, b, attempt) => {
      const name = gameServerName('ins', a, attempt)
      expect(name).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
      expect(name.length).toBeLessThanOrEqual(63)
      if (a !== b) expect(gameServerName('ins', b, attempt)).not.toBe(name)
      expect(gameServerName('other', a, attempt)).not.toBe(name)
      expect(gameServerName('ins', a, attempt + 1)).not.toBe(name)
      expect(noteName('ins', a)).not.toBe(name)
    }),
  )
})
