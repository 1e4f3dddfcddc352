import type { Machine } from '@matchyard/client/admin'
import { type Read, useProject } from '../../data/hooks'
import { sharedRead } from '../../data/shared-read'

const LOOK_MS = 5_000

const useShared = sharedRead((account) => account.machines.list(), LOOK_MS)

/** Returns all machines of the installation, by id. One read every five seconds serves all views. */
export const useMachines = (): Read<readonly Machine[]> => useShared(useProject().account)
