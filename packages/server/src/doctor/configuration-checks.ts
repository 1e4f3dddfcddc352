import { availableParallelism } from 'node:os'
import { DRAW_SECRET } from '../config/environment'
import { workersFault } from '../workers/workers-fault'
import { type Check, fail, ok, warn } from './check'

const OWN_CHECKS: readonly string[] = ['MATCHYARD_SECRET', 'METRICS_TOKEN', 'PRICES', 'PUBLIC_URL', 'PEER_URL']

const configuration: Check = {
  name: 'configuration',
  mend: 'correct the variable in the environment of the service',
  look({ faults }) {
    const others = [...faults].filter(([name]) => !OWN_CHECKS.includes(name))
    if (others.length === 0) return ok('every variable is understood')
    return fail(others.map(([name, fault]) => `${name}: ${fault}`).join(' · '))
  },
}

const secret: Check = {
  name: 'secret',
  mend: `export MATCHYARD_SECRET="$(${DRAW_SECRET})", and keep it: sessions and upload URLs depend on it`,
  look({ faults }) {
    const fault = faults.get('MATCHYARD_SECRET')
    return fault === undefined ? ok('MATCHYARD_SECRET is strong') : fail(`MATCHYARD_SECRET: ${fault}`)
  },
}

const metricsToken: Check = {
  name: 'metrics-token',
  mend: 'export METRICS_TOKEN="$(openssl rand -hex 24)" and give it to the scraper as a bearer token',
  look({ faults, config }) {
    const fault = faults.get('METRICS_TOKEN')
    if (fault !== undefined) return fail(`METRICS_TOKEN: ${fault}`)
    return config.metricsToken === undefined
      ? warn('METRICS_TOKEN is not set: /metrics is closed')
      : ok('/metrics has a token')
  },
}

const proxy: Check = {
  name: 'proxy',
  mend: 'export TRUST_PROXY=1 behind one proxy of your own; leave it unset where there is none',
  look({ config: { publicUrl, trustedProxies } }) {
    // The service speaks plain HTTP, so a proxy in front of it must terminate TLS.
    if (publicUrl?.startsWith('https:') === true && trustedProxies === 0) {
      return warn('PUBLIC_URL is https but TRUST_PROXY is not set: login limits would count the proxy as every caller')
    }
    return ok(trustedProxies === 0 ? 'forwarded addresses are not read' : `${trustedProxies} trusted in front`)
  },
}

const prices: Check = {
  name: 'prices',
  mend: 'export PRICES=/path/to/prices.json with whole micro-USD per hour for all 12 tiers, or leave it unset',
  look({ faults, config }) {
    const fault = faults.get('PRICES')
    if (fault !== undefined) return fail(`PRICES: ${fault}`)
    return ok(config.prices === undefined ? 'the default prices' : 'prices of your own')
  },
}

const workers: Check = {
  name: 'workers',
  mend: 'set DATABASE_URL to postgres://…, or leave WORKERS and --workers out',
  look({ config: { workers: count, databaseUrl } }) {
    const fault = workersFault(count, databaseUrl)
    if (fault !== undefined) return fail(fault)
    const cores = availableParallelism()
    if (count > cores) {
      const mend = `set WORKERS to ${cores} at the most, and to fewer where the database runs here too`
      return warn(`${count} workers for ${cores} CPUs: they take turns, and each costs memory and connections`, mend)
    }
    return ok(count === 1 ? 'one process takes all calls' : `${count} workers take calls, on ${cores} CPUs`)
  },
}

export const CONFIGURATION_CHECKS: readonly Check[] = [configuration, secret, metricsToken, prices, proxy, workers]
