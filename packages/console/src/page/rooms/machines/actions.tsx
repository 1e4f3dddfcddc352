import type { Machine } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useProject } from '../../data/hooks'
import { ask, Button, say } from '../../ui'
import { DrainDialog } from './drain-dialog'
import { effectsOfCordon, effectsOfUncordon } from './effects'
import { actionsOf } from './machines'

interface MachineActionsProps {
  readonly machine: Machine
  /** All machines of the installation. */
  readonly machines: readonly Machine[]
  readonly again: () => Promise<void>
}

/** Buttons that cordon, uncordon and drain a machine. Each asks first, and says what happens to the matches. */
export function MachineActions({ machine, machines, again }: MachineActionsProps) {
  const { account } = useProject()
  const drains = useSignal(false)
  const { machine_id: id, name, status } = machine
  const { canCordon, canUncordon, canDrain } = actionsOf(machine)
  const cordon = async () => {
    const text = effectsOfCordon(machine, machines)
    if (!(await ask({ title: 'Cordon this machine?', text, confirm: 'Cordon machine' }))) return
    await account.machines.cordon(id)
    say(`${name} is cordoned.`)
    await again()
  }
  const uncordon = async () => {
    const text = effectsOfUncordon(machine)
    if (!(await ask({ title: 'Uncordon this machine?', text, confirm: 'Uncordon machine' }))) return
    await account.machines.uncordon(id)
    say(`${name} gets new servers again.`)
    await again()
  }
  return (
    <>
      {canUncordon && <Button onClick={uncordon}>Uncordon</Button>}
      {canCordon && <Button onClick={cordon}>Cordon</Button>}
      {canDrain && (
        <Button kind="danger" onClick={() => (drains.value = true)}>
          {status === 'draining' ? 'Change the deadline' : 'Drain'}
        </Button>
      )}
      {drains.value && (
        <DrainDialog
          machine={machine}
          machines={machines}
          onClose={() => (drains.value = false)}
          onBegun={() => {
            drains.value = false
            void again()
          }}
        />
      )}
    </>
  )
}
