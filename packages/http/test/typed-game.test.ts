import { createMatchyard, type Matchyard } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { fakePlatform } from '@matchyard/testkit'
import { expect, it } from 'vitest'
import { createApp } from '../src/index'

interface Rank {
  readonly mmr: number
}

it('the application serves a game with its own types', async () => {
  const matchyard: Matchyard<{ state: Rank }> = createMatchyard<{ state: Rank }>({
    ...fakePlatform({ seed: 1 }),
    storage: memoryStorage(),
  })
  expect((await createApp(matchyard).request('/openapi.json')).status).toBe(200)
})
