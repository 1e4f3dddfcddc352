import type { ProjectProblem } from '@matchyard/client/admin'
import { type Read, useProject } from './hooks'
import { sharedRead } from './shared-read'

const LOOK_MS = 10_000

const useShared = sharedRead((admin) => admin.problems.list(), LOOK_MS)

/** Returns the problems of the project, the most severe first. One read every ten seconds serves all views. */
export const useProblems = (): Read<readonly ProjectProblem[]> => useShared(useProject().admin)
