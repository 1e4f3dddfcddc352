import { matchmaking as matchmakingCodec } from '@matchyard/http'
import { ConfigurationError } from '../config/configuration-error'
import { readQueueFile } from '../operator/queue-file'
import type { TrialQueue } from './settings'

/**
 * Returns the matchmaking of a queue in a JSON file, the body of `POST /v1/queues`, without its ready check and its
 * timeout: synthetic players accept, and search until they play. Throws ConfigurationError, which names each fault with its field.
 */
export function readTrialQueue(file: string): TrialQueue {
  const { matchmaking, rating_field: ratingField = 'mmr' } = readQueueFile(file)
  const parsed = matchmakingCodec.body.safeParse(matchmaking)
  if (!parsed.success) {
    throw new ConfigurationError(
      parsed.error.issues.map(({ path, message }) => `${file}: ${['matchmaking', ...path].join('.')}: ${message}`),
    )
  }
  const { readyCheck: _, timeoutSeconds: __, ...played } = matchmakingCodec.decode(parsed.data)
  return { matchmaking: played, ratingField }
}
