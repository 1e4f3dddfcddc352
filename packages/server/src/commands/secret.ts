import type { Instant, Matchyard } from '@matchyard/core'
import { SECOND_MS } from '@matchyard/core/domain'
import { nodeTimers, tokens } from '@matchyard/node'
import { defineCommand } from 'citty'
import { ConfigurationError } from '../config/configuration-error'
import { readSecretConfig } from '../config/serve-config'
import { onStorage } from '../operator/on-storage'
import { lostWith, sealsAfterChange, sealsNow } from '../operator/secret-sentences'
import { acceptSecret, changeSecret, compareSecret, type SecretsOfProcess } from '../service/check-secret'
import { print } from '../service/print'
import { readSecretMarks } from '../service/secret-marks'
import { tellFailure } from '../service/tell-failure'

/** Default of `--in`: longer than nodes take to read the instant of the change. */
const CHANGE_IN_SECONDS = 30
const MAX_CHANGE_IN_SECONDS = 3_600

const SENTENCES = {
  same: 'MATCHYARD_SECRET is the secret of this database',
  next: 'MATCHYARD_SECRET_PREVIOUS is the secret of this database; matchyard secret --change puts MATCHYARD_SECRET in its place',
  stale:
    'MATCHYARD_SECRET is the secret of this database, but MATCHYARD_SECRET_PREVIOUS is not the one before it; unset it',
  other: 'MATCHYARD_SECRET is not the secret that this database was used with before; a start with it is refused',
  unknown: 'no service has started on this database yet; the first one decides which secret it has',
} as const

/** Command that compares and changes the secret that belongs to a database. */
export const secret = defineCommand({
  meta: {
    name: 'secret',
    description: 'Compare MATCHYARD_SECRET with that of the database, or make it that.',
  },
  args: {
    change: {
      type: 'boolean',
      description: 'Put MATCHYARD_SECRET in the place of MATCHYARD_SECRET_PREVIOUS, when all nodes have both',
      default: false,
    },
    in: {
      type: 'string',
      description: 'Seconds until nodes sign with the new secret (0 only while no node runs)',
      default: String(CHANGE_IN_SECONDS),
    },
    accept: {
      type: 'boolean',
      description: 'The earlier secret is lost: from now on services start with this one only (stop all of them first)',
      default: false,
    },
  },
  run: ({ args }) =>
    tellFailure(async () => {
      if (args.change && args.accept) throw new ConfigurationError('--change and --accept cannot be used together')
      const inSeconds = secondsIn(args.in)
      await onInstallation(!args.change, async (place) => {
        if (args.accept) return print(await accept(place))
        if (args.change) return change(place, inSeconds)
        return print(`${SENTENCES[await compareSecret(place)]}\n${sealsNow(await place.matchyard.secrets.seals())}`)
      })
    }),
})

interface Place extends SecretsOfProcess {
  readonly matchyard: Matchyard
  /** Makes this process sign with the new secret from now on. */
  useNew(): void
}

/** Runs work on the database with the secrets of the environment. */
async function onInstallation(readsOnly: boolean, work: (place: Place) => Promise<void>): Promise<void> {
  const { databaseUrl, secret, previousSecret } = readSecretConfig(process.env)
  let changesAt: Instant | undefined
  const previous = previousSecret && { secret: previousSecret, changesAt: () => changesAt }
  const secrets = { secret, ...(previous ? { previousSecret: previous } : {}) }
  await onStorage({ databaseUrl, readsOnly, secrets }, async ({ storage, matchyard }) => {
    changesAt = (await readSecretMarks(storage)).change?.at
    const useNew = () => {
      changesAt = Number.NEGATIVE_INFINITY
    }
    const ofProcess = {
      tokens: tokens(secret),
      previous: previousSecret === undefined ? undefined : tokens(previousSecret),
    }
    await work({ storage, matchyard, ...ofProcess, useNew })
  })
}

async function change(place: Place, inSeconds: number): Promise<void> {
  const { previous } = place
  if (previous === undefined)
    throw new ConfigurationError(
      'MATCHYARD_SECRET_PREVIOUS: it is not set; set it to the secret that MATCHYARD_SECRET replaces',
    )
  // The clock of a node may be ahead of this machine's clock. All nodes must read the instant before it comes on their clocks.
  const now = Math.max(Date.now(), await place.storage.newestInstant())
  const at = await changeSecret({ ...place, previous }, now + inSeconds * SECOND_MS)
  await print(`nodes sign with the new secret from ${new Date(at).toISOString()} on\n`)
  await new Promise<void>((resolve) => nodeTimers().after(at - Date.now(), resolve))
  place.useNew()
  await print(sealsAfterChange(await place.matchyard.secrets.sealAnew()))
}

async function accept(place: Place): Promise<string> {
  if (place.previous !== undefined)
    throw new ConfigurationError(
      'MATCHYARD_SECRET_PREVIOUS: it is set, so nothing needs to be lost; run matchyard secret --change, or unset it',
    )
  while (!(await acceptSecret(place))) {}
  return `from now on services start with this MATCHYARD_SECRET, and with no other\n${lostWith(await place.matchyard.secrets.seals())}`
}

function secondsIn(text: string): number {
  const seconds = Number(text)
  if (Number.isInteger(seconds) && seconds >= 0 && seconds <= MAX_CHANGE_IN_SECONDS) return seconds
  throw new ConfigurationError(
    `--in: ${JSON.stringify(text)} is not a number of seconds from 0 to ${MAX_CHANGE_IN_SECONDS}`,
  )
}
