import { expect, it, vi } from 'vitest'

const loaded = vi.hoisted((): string[] => [])
vi.mock('dockerode', () => loaded.push('dockerode') && {})
vi.mock('@kubernetes/client-node', () => loaded.push('@kubernetes/client-node') && {})

it.each(['process', 'docker', 'agones', 'kit', 'testing'])('/%s loads no library of a platform', async (entry) => {
  await import(`../src/${entry}/index.ts`)
  expect(loaded).toEqual([])
})
