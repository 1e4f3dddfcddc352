/** State of the machine on which a node runs game servers. A node has one for each machine of an agent that it hosts. */
export class OwnMachineState {
  /** Launches in a row that failed for reasons of the machine. A pause of the machine and a success clear the list. */
  readonly failuresInARow = new Set<string>()

  /** Whether the last check of the warm servers was to keep none, and found none. */
  isWithoutWarm = false

  /** Whether the machine is still reported. It ends when the node stops, or hosts the machine no longer. */
  isOpen = true

  /** Last report of the machine in the storage; undefined when reports of an earlier process may be there. */
  reported: string | undefined
}
