import { z } from '@hono/zod-openapi'
import { BUILD_NAME_PATTERN, type PortRequest, PROTOCOLS, type ServerSettings, TTL_SECONDS } from '@matchyard/core'
import { freeForm, region, text, tier, wholeNumber } from './shared'

export const buildName = z.string().regex(BUILD_NAME_PATTERN, `must match ${BUILD_NAME_PATTERN.source}`)
export const ttl = wholeNumber(TTL_SECONDS.min, TTL_SECONDS.max).openapi({ description: 'Seconds.' })
export const startupArgs = text(0, 4_096).openapi({ description: 'Split like a shell would quote; no shell sees it.' })

/** A port as it is asked for: `host` and `external_port` are assigned, so they are refused here. */
export const portRequestBody = z
  .strictObject({
    name: text(1, 64),
    protocol: z.enum(PROTOCOLS).optional().openapi({ default: 'udp' }),
    internal_port: wholeNumber(1, 65_535),
    tls_enabled: z.boolean().optional().openapi({ default: false, description: 'Only with tcp.' }),
  })
  .openapi('PortRequest')

export const serverSettingsBody = z
  .strictObject({
    version_tag: buildName.optional(),
    region: region.optional(),
    tier: tier.optional(),
    network_ports: z.array(portRequestBody).optional(),
    startup_args: startupArgs.optional(),
    ttl: ttl.optional(),
    auto_restart: z.boolean().optional(),
    custom_data: freeForm.optional(),
  })
  .openapi('ServerSettings')

type ServerSettingsBody = z.output<typeof serverSettingsBody>

export const toPortRequest = (port: z.output<typeof portRequestBody>): PortRequest => ({
  name: port.name,
  protocol: port.protocol ?? 'udp',
  internalPort: port.internal_port,
  tlsEnabled: port.tls_enabled ?? false,
})

export const toServerSettings = (body: ServerSettingsBody): ServerSettings => ({
  ...(body.version_tag === undefined ? {} : { versionTag: body.version_tag }),
  ...(body.region === undefined ? {} : { region: body.region }),
  ...(body.tier === undefined ? {} : { tier: body.tier }),
  ...(body.network_ports === undefined ? {} : { networkPorts: body.network_ports.map(toPortRequest) }),
  ...(body.startup_args === undefined ? {} : { startupArgs: body.startup_args }),
  ...(body.ttl === undefined ? {} : { ttl: body.ttl }),
  ...(body.auto_restart === undefined ? {} : { autoRestart: body.auto_restart }),
  ...(body.custom_data === undefined ? {} : { customData: body.custom_data }),
})

const toPortRequestWire = (port: PortRequest) => ({
  name: port.name,
  protocol: port.protocol,
  internal_port: port.internalPort,
  tls_enabled: port.tlsEnabled,
})

/** Fields that were left out stay out. */
export const toServerSettingsWire = (settings: ServerSettings) => ({
  version_tag: settings.versionTag,
  region: settings.region,
  tier: settings.tier,
  network_ports: settings.networkPorts?.map(toPortRequestWire),
  startup_args: settings.startupArgs,
  ttl: settings.ttl,
  auto_restart: settings.autoRestart,
  custom_data: settings.customData,
})
