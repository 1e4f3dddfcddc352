import type { Environment } from '../config/environment'

export const WORKERS_OPTION = {
  type: 'string',
  description: 'Processes that take calls on one port, on PostgreSQL (default 1, or WORKERS)',
} as const

/** What is said on the line wins over the environment, and is judged as that is. */
export const withWorkers = (environment: Environment, workers: string | undefined): Environment =>
  workers === undefined ? environment : { ...environment, WORKERS: workers }
