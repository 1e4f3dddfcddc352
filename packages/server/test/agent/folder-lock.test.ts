import { expect, test } from 'vitest'
import { lockFolder } from '../../src/agent/folder-lock'
import { temporaryFolder } from '../harness/folder'

test('a folder has one agent at a time', () => {
  const folder = temporaryFolder()
  const first = lockFolder(folder)
  expect(() => lockFolder(folder)).toThrow(
    expect.objectContaining({ faults: [expect.stringMatching(/another agent runs/)] }),
  )
  first.release()
  lockFolder(folder).release()
})
