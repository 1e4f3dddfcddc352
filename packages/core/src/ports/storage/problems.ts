import type { KeptProblem } from '../../problem/kept-problem'

/** Reads the kept problems of projects. */
export interface ProblemReaders {
  /** Returns the kept problems of a project, by ascending id, the closed ones included. */
  ofProject(projectId: string, limit: number): Promise<KeptProblem[]>
  /** Returns the ids of the projects with an open problem after an id, ascending. The cost grows with the number of their open problems. */
  projectsWithOpen(after: string, limit: number): Promise<string[]>
}
