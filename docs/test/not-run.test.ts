import { notRun, skipWithout } from '@matchyard/tooling/needs'
import { expect, it } from 'vitest'

it('says in one line what was not run for want of which program, and how to have it', () => {
  const notes: string[] = []
  const context = {
    skip: (note: unknown) => {
      notes.push(String(note))
      throw new Error('skipped')
    },
  } as Parameters<typeof skipWithout>[0]
  for (const program of ['bubblewrap', 'a container engine', 'bubblewrap'] as const)
    expect(() => skipWithout(context, program, 'it is not installed')).toThrow('skipped')
  expect(notRun(notes)).toBe(
    'Not run: 2 tests for want of bubblewrap (install the package bubblewrap); 1 test for want of a container engine (install the package docker.io and test as root on Linux, or set DOCKER_HOST).',
  )
})

it('says nothing of a run in which nothing was wanting', () => {
  expect(notRun([])).toBeUndefined()
  expect(notRun(['skipped for another reason'])).toBeUndefined()
})
