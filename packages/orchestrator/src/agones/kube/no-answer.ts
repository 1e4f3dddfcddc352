import { ApiRefusal, Unreachable } from './errors'

/** It let a call wait for all of its time. */
export class Unanswered extends Unreachable {}

/** Whether what was asked for was not carried out for reasons of the cluster's: it refused, or does not answer. */
export const isNoAnswer = (error: unknown): error is ApiRefusal | Unreachable =>
  error instanceof ApiRefusal || error instanceof Unreachable
