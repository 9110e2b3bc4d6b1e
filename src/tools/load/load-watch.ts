import { cpus, loadavg } from 'node:os'

/** The load of the machine during a measurement, including other processes: a p99 means little without it. */
export function loadWatch(): () => string {
  const cpuTimes = () => {
    const times = cpus().map((cpu) => cpu.times)
    const idle = times.reduce((sum, it) => sum + it.idle, 0)
    return { idle, all: times.reduce((sum, it) => sum + it.user + it.nice + it.sys + it.idle + it.irq, 0) }
  }
  const before = cpuTimes()
  return () => {
    const now = cpuTimes()
    const used = 100 * (1 - (now.idle - before.idle) / (now.all - before.all))
    const [minute = 0] = loadavg()
    return `machine: ${used.toFixed(0)} % of ${cpus().length} cores busy, load ${minute.toFixed(1)}`
  }
}
