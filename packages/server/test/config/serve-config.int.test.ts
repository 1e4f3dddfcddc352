import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DEFAULT_PRICES } from '@matchyard/core'
import { expect, test } from 'vitest'
import { ConfigurationError } from '../../src/config/configuration-error'
import { examine, readServeConfig } from '../../src/config/serve-config'
import { goodSecret } from '../harness/services'

const MATCHYARD_SECRET = goodSecret()
const read = (more: Record<string, string> = {}) => readServeConfig({ MATCHYARD_SECRET, ...more })

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    readServeConfig(environment)
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults
    throw error
  }
  return []
}

function withFile(text: string, use: (path: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'matchyard-prices-'))
  try {
    const path = join(folder, 'prices.json')
    writeFileSync(path, text)
    use(path)
  } finally {
    rmSync(folder, { recursive: true, maxRetries: 20, retryDelay: 50 })
  }
}

test('a secret is all that must be given', () => {
  expect(read()).toEqual({
    secret: MATCHYARD_SECRET,
    dataDirectory: resolve('matchyard-data'),
    cacheMb: 64,
    pool: { poolSize: 10, statementTimeoutMs: 8_000 },
    databaseUrl: `sqlite:${resolve('matchyard-data', 'matchyard.db')}`,
    host: '0.0.0.0',
    port: 8080,
    publicUrl: undefined,
    serverHost: undefined,
    nodeId: undefined,
    peerUrl: undefined,
    drainMs: 0,
    workers: 1,
    logLevel: 'info',
    metricsToken: undefined,
    trustedProxies: 0,
    controlPlaneOrigins: [],
    registration: 'closed',
    registrationsPerHour: 10,
    console: 'on',
    openId: undefined,
    passwordSignIn: 'on',
    brakes: { creations: 10, joins: 20, streams: 60, writes: 120 },
    workLimits: 'on',
    isTraced: false,
    admission: { delayMs: 50 },
    regions: undefined,
    regionFallback: 'none',
    placement: 'pack',
    launchTimeoutMs: 60_000,
    capacityTimeoutMs: 120_000,
    nodeLostAfterMs: 30_000,
    machineAwayMs: 600_000,
    maxUploadBytes: 2 * 1024 ** 3,
    maxLobbiesPerProject: 200_000,
    matchRetentionDays: 90,
    logRetentionHours: 72,
    buildStore: 'folder',
    bucket: undefined,
    buildCacheBytes: 10 * 1024 ** 3,
    prices: undefined,
    operatorLimits: {},
    payments: 'none',
    addresses: { allowPrivate: false, allowLoopback: false, httpsOnly: true },
    limits: { maxServers: undefined, maxServerCpus: undefined, maxServerMemoryMb: undefined },
    orchestrator: 'process',
    containers: {
      engineHost: 'unix:///var/run/docker.sock',
      baseImage: 'docker.io/library/node:20-bookworm-slim',
      registries: ['docker.io', 'ghcr.io', 'quay.io'],
      trustedRegistries: [],
      registryCredentials: {},
      localImages: false,
      maxWarmServers: 32,
    },
  })
})

test('everything can be given', () => {
  const metricsToken = goodSecret()
  withFile(JSON.stringify({ ...DEFAULT_PRICES, '1x-1g': 1 }), (PRICES) => {
    const config = read({
      DATABASE_URL: 'sqlite:./other.db',
      MATCHYARD_DATA: '/srv/matchyard',
      HOST: '::1',
      PORT: '9000',
      PUBLIC_URL: 'https://play.example.com/api/',
      SERVER_HOST: 'udp.example.com',
      NODE_ID: 'eu-1',
      PEER_URL: 'http://10.0.0.11:9000/',
      LOG_LEVEL: 'warn',
      METRICS_TOKEN: metricsToken,
      TRUST_PROXY: 'true',
      CONTROL_PLANE_ORIGINS: 'https://admin.example.com, http://localhost:5173',
      REGISTRATION: 'open',
      CONSOLE: 'off',
      RATE_LIMIT_CREATIONS: '0',
      RATE_LIMIT_JOINS: '5',
      RATE_LIMIT_STREAMS: '7',
      RATE_LIMIT_WRITES: '1000',
      REGIONS: 'fra, ams,fra',
      REGION_FALLBACK: 'any',
      PLACEMENT: 'spread',
      LAUNCH_TIMEOUT_SECONDS: '90',
      MAX_UPLOAD_BYTES: '1000',
      PRICES,
      ORCHESTRATOR: 'none',
    })
    expect(config).toMatchObject({
      databaseUrl: 'sqlite:./other.db',
      dataDirectory: '/srv/matchyard',
      host: '::1',
      port: 9000,
      publicUrl: 'https://play.example.com/api',
      serverHost: 'udp.example.com',
      nodeId: 'eu-1',
      peerUrl: 'http://10.0.0.11:9000',
      logLevel: 'warn',
      metricsToken,
      trustedProxies: 1,
      controlPlaneOrigins: ['https://admin.example.com', 'http://localhost:5173'],
      registration: 'open',
      console: 'off',
      brakes: { creations: 0, joins: 5, streams: 7, writes: 1000 },
      regions: ['fra', 'ams'],
      regionFallback: 'any',
      placement: 'spread',
      launchTimeoutMs: 90_000,
      maxUploadBytes: 1000,
      orchestrator: 'none',
    })
    expect(config.prices?.['1x-1g']).toBe(1)
  })
})

test.each([
  ['MATCHYARD_SECRET', '', /^MATCHYARD_SECRET: it is not set; draw one with: openssl/],
  ['MATCHYARD_SECRET', 'short', /has 5 characters/],
  ['DATABASE_URL', 'mysql://root:hunter2@db/x', /"mysql:\/\/root:\*\*\*@db\/x" is not a storage/],
  ['DATABASE_URL', 'sqlite::memory:', /is not a storage/],
  ['DATABASE_POOL_SIZE', '1', /is not a whole number of connections from 2|whole number of connections/],
  ['DATABASE_STATEMENT_TIMEOUT_SECONDS', '0', /whole number of seconds from 1/],
  ['HOST', 'http://example.com', /is not a host/],
  ['PORT', '65536', /is not a whole number of a port from 0 to 65535|not a/],
  ['PORT', '80a', /"80a" is not/],
  ['PUBLIC_URL', 'example.com', /is not an address/],
  ['PUBLIC_URL', 'ftp://example.com', /is not an address/],
  ['PUBLIC_URL', 'https://user:hunter2@example.com', /must not hold a user name or password/],
  ['PUBLIC_URL', 'https://example.com/?a=1', /must end with its host or path/],
  ['PEER_URL', 'node-1:8080', /is not an address/],
  ['SERVER_HOST', 'play.example.com:7777', /is not a host/],
  ['NODE_ID', 'eu 1', /is not a name/],
  ['LOG_LEVEL', 'loud', /give one of debug, info, warn, error/],
  ['METRICS_TOKEN', 'short', /has 5 characters; it needs at least 16/],
  ['TRUST_PROXY', 'yes', /give the number of proxies/],
  ['CONTROL_PLANE_ORIGINS', 'https://a.example.com/path', /is not an origin/],
  ['CONTROL_PLANE_ORIGINS', '*', /is not an origin/],
  ['REGISTRATION', 'yes', /give one of closed, open/],
  ['CONSOLE', 'true', /give one of on, off/],
  ['LAUNCH_TIMEOUT_SECONDS', '0', /whole number of seconds from 1/],
  ['REGIONS', 'fra,moon', /"moon" is not a region/],
  ['REGIONS', ' , ', /names no region/],
  ['PLACEMENT', 'random', /one of pack, spread/],
  ['NODE_LOST_AFTER_SECONDS', '0', /whole number of seconds from 1/],
  ['MACHINE_AWAY_SECONDS', '3001', /whole number of seconds from 1 to 3000/],
  ['RATE_LIMIT_JOINS', 'many', /whole number of calls/],
  ['MAX_UPLOAD_BYTES', '-1', /whole number of bytes/],
  ['PRICES', '/does/not/exist.json', /cannot be read \(ENOENT\)/],
  ['PAYMENTS', 'stripe', /give one of none, manual/],
  ['PLAN_LIMITS', '{"max_servers": 2}', /max_servers.*the names are max_concurrent_servers/],
  ['PLAN_LIMITS', '{"max_tier": "9x-9g"}', /max_tier: .*the names are/],
  ['PLAN_LIMITS', '{', /it is not JSON; give limits like/],
  ['PLAN_LIMITS', '/does/not/exist.json', /cannot be read \(ENOENT\)/],
  ['ORCHESTRATOR', 'podman', /give one of process, docker, agones, agents, none/],
  ['DOCKER_HOST', 'ssh://engine', /is no engine's address/],
  ['DOCKER_BASE_IMAGE', 'https://ghcr.io/x', /is not an image: it must not have a scheme/],
  ['DOCKER_REGISTRIES', 'https://ghcr.io', /is not a registry/],
  ['DOCKER_CREDENTIALS', '/does/not/exist.json', /cannot be read as the config\.json that docker login writes/],
  ['DOCKER_LOCAL_IMAGES', 'yes', /is neither true nor false/],
  ['BUILD_STORE', 'gcs', /give one of folder, s3/],
  ['BUILD_CACHE_MB', '0', /whole number of megabytes/],
  ['S3_BUCKET', 'My Bucket', /is not a bucket/],
  ['S3_REGION', 'EU 1', /is not a region/],
  ['S3_ENDPOINT', 's3.example.com', /is not an address; give one like https:\/\/s3\.example\.com/],
  ['S3_PUBLIC_ENDPOINT', 'https://me:hunter2@s3.example.com', /must not hold a user name/],
  ['S3_PREFIX', '../', /is not a prefix/],
  ['S3_SECRET_ACCESS_KEY', 'hunter2 ', /characters that no key has/],
])('%s=%s is refused in one line', (name, value, line) => {
  const faults = faultsOf({ MATCHYARD_SECRET, [name]: value })
  expect(faults).toHaveLength(1)
  expect(faults[0]).toMatch(line)
  expect(faults[0]).toMatch(new RegExp(`^${name}: `))
  expect(faults[0]).not.toContain('\n')
  expect(faults[0]).not.toContain('hunter2')
})

test('a bucket lacks what it needs, each in a line, and is read whole', () => {
  const faults = faultsOf({ MATCHYARD_SECRET, BUILD_STORE: 's3', S3_BUCKET: 'builds' })
  expect(faults.map((fault) => fault.split(':')[0])).toEqual(['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])
  const key = { S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' }
  const config = readServeConfig({ MATCHYARD_SECRET, BUILD_STORE: 's3', S3_BUCKET: 'builds', S3_PREFIX: 'my/', ...key })
  expect(config.bucket).toEqual({
    bucket: 'builds',
    prefix: 'my/',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    directUploads: true,
  })
})

test.each([
  ['not JSON', '{', /is not JSON/],
  ['a tier too few', JSON.stringify({ '1x-1g': 5 }), /it names all 12 tiers/],
  ['a tier too many', JSON.stringify({ ...DEFAULT_PRICES, '9x-1g': 5 }), /9x-1g/],
  ['dollars', JSON.stringify({ ...DEFAULT_PRICES, '1x-1g': 0.02 }), /1x-1g/],
  ['a negative price', JSON.stringify({ ...DEFAULT_PRICES, '1x-1g': -1 }), /1x-1g/],
])('prices: %s is refused', (_, text, line) => {
  withFile(text, (PRICES) => expect(faultsOf({ MATCHYARD_SECRET, PRICES }).join()).toMatch(line))
})

test('all faults are told at once', () => {
  const faults = faultsOf({ PORT: 'x', HOST: '???', TRUST_PROXY: 'maybe', LOG_LEVEL: 'loud' })
  expect(faults.map((fault) => fault.split(':')[0])).toEqual([
    'MATCHYARD_SECRET',
    'HOST',
    'PORT',
    'LOG_LEVEL',
    'TRUST_PROXY',
  ])
})

test('what is set to nothing is not set', () => {
  expect(read({ PORT: '', PUBLIC_URL: '', CONTROL_PLANE_ORIGINS: '' })).toEqual(read())
})

test('limits of accounts are given as JSON or as a file of it', () => {
  const text = JSON.stringify({ max_concurrent_servers: 20, max_tier: '4x-8g', regions: ['fra'], max_builds: -1 })
  const limits = { maxConcurrentServers: 20, maxTier: '4x-8g', regions: ['fra'], maxBuilds: -1 }
  expect(read({ PLAN_LIMITS: text }).operatorLimits).toEqual(limits)
  withFile(text, (PLAN_LIMITS) => expect(read({ PLAN_LIMITS }).operatorLimits).toEqual(limits))
})

test('doctor is given the sound part of a faulty configuration', () => {
  const { faults, config } = examine({ PORT: 'x', NODE_ID: 'eu-1' })
  expect([...faults.keys()]).toEqual(['MATCHYARD_SECRET', 'PORT'])
  expect(config).toMatchObject({ port: 8080, nodeId: 'eu-1' })
})

test('traces are sent where a collector is named, or asked for, and nobody forbids it', () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318'
  const isTraced = (more: Record<string, string>) => read(more).isTraced
  expect(isTraced({ OTEL_EXPORTER_OTLP_ENDPOINT })).toBe(true)
  expect(isTraced({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/v1/traces' })).toBe(true)
  expect(isTraced({ OTEL_TRACES_EXPORTER: 'otlp' })).toBe(true)
  expect(isTraced({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER: 'none' })).toBe(false)
  expect(isTraced({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' })).toBe(false)
  expect(() => isTraced({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' })).toThrow('is not an address')
  expect(() => isTraced({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toThrow('http/protobuf')
})

test('a node whose game servers run on agents is one process, and has no beacon', () => {
  const faults = faultsOf({ MATCHYARD_SECRET, ORCHESTRATOR: 'agents', WORKERS: '2', BEACON_PORT: '7777' })
  expect(faults).toEqual([
    'BEACON_PORT: no game servers run on this node (ORCHESTRATOR=agents); set it on the machines of the agents',
    'WORKERS: with ORCHESTRATOR=agents a node is one process; set 1, and run further nodes',
  ])
})
