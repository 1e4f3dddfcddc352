import { DEFAULT_TIER, PLACEMENTS, REGION_FALLBACKS, TIER_SIZES } from '@matchyard/core'
import { isMachineName } from '@matchyard/core/domain'
import {
  DEFAULT_BASE_IMAGE,
  DEFAULT_ENGINE_HOST,
  DEFAULT_MAX_WARM_SERVERS,
  DEFAULT_REGISTRIES,
} from '@matchyard/orchestrator/docker'
import { z } from 'zod'
import { hostName, origins, proxies, publicUrl } from './addresses'
import { readAgones } from './agones'
import { beaconUrl } from './beacon'
import { BUILD_STORES, bucketName, keyPart, keyPrefix, regionName, storeAddress } from './bucket'
import { credentialsFile, engineHost, imageName, registries, yesOrNo } from './containers'
import { databaseUrl, listenUrl } from './database-url'
import { emailDomains, issuerUrl, PASSWORD_SIGN_IN } from './openid'
import { readPlanLimits } from './plan-limits'
import { readPrices } from './prices'
import { regionList } from './regions'
import { MIN_TOKEN_LENGTH, secretFault } from './secret-strength'
import { anyText, Fault, oneOf, setting, wholeNumber } from './setting'
import { collectorUrl, OTLP_PROTOCOLS, TRACES_EXPORTERS } from './tracing'

export const ORCHESTRATORS = ['process', 'docker', 'agones', 'agents', 'none'] as const
export const WORK_LIMITS = ['on', 'off'] as const
export const REGISTRATION = ['closed', 'open'] as const
export const CONSOLE = ['on', 'off'] as const
export const PAYMENTS = ['none', 'manual'] as const
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const

/**
 * Maximum value of DRAIN_SECONDS. A stop may take 20 seconds in all. After a drain of 10 seconds, the last requests
 * still have 7 seconds.
 */
export const MAX_DRAIN_SECONDS = 10
export const DEFAULT_DATA_DIRECTORY = 'matchyard-data'
/** Shell command that prints a strong random secret. */
export const DRAW_SECRET = 'openssl rand -base64 48'

const secret = (minLength?: number) => (text: string) => {
  const fault = secretFault(text, minLength)
  return fault === undefined ? text : new Fault(`it ${fault}; draw one with: ${DRAW_SECRET}`)
}

const nodeName = (text: string) =>
  isMachineName(text)
    ? text
    : new Fault(`${JSON.stringify(text)} is not a name; use up to 64 letters, digits, dots and dashes`)

/** All environment variables of `matchyard serve`. */
export const environmentSchema = z.object({
  MATCHYARD_SECRET: setting(secret(), new Fault(`it is not set; draw one with: ${DRAW_SECRET}`)),
  MATCHYARD_SECRET_PREVIOUS: setting(secret(), undefined),
  DATABASE_URL: setting(databaseUrl, undefined),
  DATABASE_LISTEN_URL: setting(listenUrl, undefined),
  DATABASE_CACHE_MB: setting(wholeNumber(1, 65_536, 'megabytes'), 64),
  DATABASE_POOL_SIZE: setting(wholeNumber(2, 1_000, 'connections'), 10),
  DATABASE_STATEMENT_TIMEOUT_SECONDS: setting(wholeNumber(1, 3_600, 'seconds'), 8),
  MATCHYARD_DATA: setting(anyText, DEFAULT_DATA_DIRECTORY),
  HOST: setting(hostName, '0.0.0.0'),
  PORT: setting(wholeNumber(0, 65_535, 'a port'), 8080),
  PUBLIC_URL: setting(publicUrl, undefined),
  SERVER_HOST: setting(hostName, undefined),
  GAME_TLS_CERT_FILE: setting(anyText, undefined),
  GAME_TLS_KEY_FILE: setting(anyText, undefined),
  NODE_ID: setting(nodeName, undefined),
  PEER_URL: setting(publicUrl, undefined),
  BEACON_PORT: setting(wholeNumber(1, 65_535, 'a port'), undefined),
  BEACON_URL: setting(beaconUrl, undefined),
  DRAIN_SECONDS: setting(wholeNumber(0, MAX_DRAIN_SECONDS, 'seconds'), 0),
  WORKERS: setting(wholeNumber(1, 256, 'processes'), 1),
  LOG_LEVEL: setting(oneOf(LOG_LEVELS), 'info'),
  METRICS_TOKEN: setting(secret(MIN_TOKEN_LENGTH), undefined),
  TRUST_PROXY: setting(proxies, 0),
  CONTROL_PLANE_ORIGINS: setting(origins, []),
  REGISTRATION: setting(oneOf(REGISTRATION), 'closed'),
  REGISTRATION_PER_HOUR: setting(wholeNumber(0, 1_000_000, 'accounts'), 10),
  CONSOLE: setting(oneOf(CONSOLE), 'on'),
  OPENID_ISSUER: setting(issuerUrl, undefined),
  OPENID_CLIENT_ID: setting(anyText, undefined),
  OPENID_CLIENT_SECRET: setting(anyText, undefined),
  OPENID_DOMAINS: setting(emailDomains, undefined),
  PASSWORD_SIGN_IN: setting(oneOf(PASSWORD_SIGN_IN), 'on'),
  RATE_LIMIT_CREATIONS: setting(wholeNumber(0, 1_000_000, 'calls'), 10),
  RATE_LIMIT_JOINS: setting(wholeNumber(0, 1_000_000, 'calls'), 20),
  RATE_LIMIT_STREAMS: setting(wholeNumber(0, 1_000_000, 'calls'), 60),
  RATE_LIMIT_WRITES: setting(wholeNumber(0, 1_000_000, 'calls'), 120),
  LOG_RETENTION_HOURS: setting(wholeNumber(0, 8_760, 'hours'), 72),
  MATCH_RETENTION_DAYS: setting(wholeNumber(1, 3_650, 'days'), 90),
  MAX_LOBBIES_PER_PROJECT: setting(wholeNumber(1, 2 ** 40, 'lobbies'), 200_000),
  WORK_LIMITS: setting(oneOf(WORK_LIMITS), 'on'),
  OVERLOAD_DELAY_MS: setting(wholeNumber(0, 60_000, 'milliseconds'), 50),
  CAPACITY_TIMEOUT_SECONDS: setting(wholeNumber(1, 3_600, 'seconds'), 120),
  WEBHOOK_ALLOW_PRIVATE: setting(yesOrNo, false),
  REGIONS: setting(regionList, undefined),
  REGION_FALLBACK: setting(oneOf(REGION_FALLBACKS), 'none'),
  PLACEMENT: setting(oneOf(PLACEMENTS), 'pack'),
  MAX_SERVERS: setting(wholeNumber(1, 1_000_000, 'servers'), undefined),
  MAX_SERVER_CPUS: setting(wholeNumber(1, 1_000_000, 'CPUs'), undefined),
  // The minimum is the memory of the smallest game server.
  MAX_SERVER_MEMORY_MB: setting(
    wholeNumber(TIER_SIZES[DEFAULT_TIER].memoryGib * 1_024, 2 ** 40, 'megabytes'),
    undefined,
  ),
  LAUNCH_TIMEOUT_SECONDS: setting(wholeNumber(1, 3_600, 'seconds'), 60),
  NODE_LOST_AFTER_SECONDS: setting(wholeNumber(1, 86_400, 'seconds'), 30),
  // The storage forgets a goodbye after an hour.
  MACHINE_AWAY_SECONDS: setting(wholeNumber(1, 3_000, 'seconds'), 600),
  MAX_UPLOAD_BYTES: setting(wholeNumber(1, 2 ** 40, 'bytes'), 2 * 1024 ** 3),
  BUILD_STORE: setting(oneOf(BUILD_STORES), 'folder'),
  BUILD_CACHE_MB: setting(wholeNumber(1, 2 ** 30, 'megabytes'), 10_240),
  S3_BUCKET: setting(bucketName, undefined),
  S3_REGION: setting(regionName, undefined),
  S3_ENDPOINT: setting(storeAddress, undefined),
  S3_PUBLIC_ENDPOINT: setting(storeAddress, undefined),
  S3_PATH_STYLE: setting(yesOrNo, undefined),
  S3_PREFIX: setting(keyPrefix, undefined),
  S3_ACCESS_KEY_ID: setting(keyPart, undefined),
  S3_SECRET_ACCESS_KEY: setting(keyPart, undefined),
  S3_SESSION_TOKEN: setting(keyPart, undefined),
  S3_DIRECT_UPLOADS: setting(yesOrNo, true),
  PRICES: setting(readPrices, undefined),
  PLAN_LIMITS: setting(readPlanLimits, {}),
  PAYMENTS: setting(oneOf(PAYMENTS), 'none'),
  ORCHESTRATOR: setting(oneOf(ORCHESTRATORS), 'process'),
  DOCKER_HOST: setting(engineHost, DEFAULT_ENGINE_HOST),
  DOCKER_BASE_IMAGE: setting(imageName, DEFAULT_BASE_IMAGE),
  DOCKER_REGISTRIES: setting(registries, DEFAULT_REGISTRIES),
  DOCKER_TRUSTED_REGISTRIES: setting(registries, []),
  DOCKER_CREDENTIALS: setting(credentialsFile, {}),
  DOCKER_LOCAL_IMAGES: setting(yesOrNo, false),
  DOCKER_NETWORK: setting(anyText, undefined),
  MAX_WARM_SERVERS: setting(wholeNumber(0, 10_000, 'servers'), DEFAULT_MAX_WARM_SERVERS),
  AGONES_CONFIG: setting(readAgones, undefined),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(collectorUrl, undefined),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: setting(collectorUrl, undefined),
  OTEL_EXPORTER_OTLP_PROTOCOL: setting(oneOf(OTLP_PROTOCOLS), 'http/protobuf'),
  OTEL_TRACES_EXPORTER: setting(oneOf(TRACES_EXPORTERS), undefined),
  OTEL_SDK_DISABLED: setting(yesOrNo, false),
})

export type VariableName = keyof typeof environmentSchema.shape
export const VARIABLES = Object.keys(environmentSchema.shape) as VariableName[]

/** Environment variables: `process.env`, or the variables that a test passes. */
export type Environment = Readonly<Record<string, string | undefined>>
