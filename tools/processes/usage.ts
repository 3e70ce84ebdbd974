/** What a process uses of the machine. Works on Linux. */
import { readFileSync, writeFileSync } from 'node:fs';

/** How long a tick of Linux's processor times takes. */
const TICK_SECONDS = 0.01;

/** The memory that a process holds now, in MB. */
export const memoryMb = (pid: number): number => readMemoryMb(pid, 'VmRSS');

/** The most memory that a process has held since it was reset, in MB. */
export const peakMemoryMb = (pid: number): number => readMemoryMb(pid, 'VmHWM');

/** Counts the most memory of a process from now on. */
export function resetPeakMemory(pid: number): void {
	writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** The processor time that a process has used so far, in seconds. */
export function processorSeconds(pid: number): number {
	const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
	// The name of the program, in brackets, may hold blanks: the fields are counted from its end.
	const fields = status.slice(status.lastIndexOf(')')).split(' ');
	const [user = NaN, system = NaN] = fields.slice(12, 14).map(Number);
	return (user + system) * TICK_SECONDS;
}

function readMemoryMb(pid: number, field: string): number {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	const [, kilobytes] = new RegExp(`${field}:\\s+(\\d+)`).exec(status) ?? [];
	return Number(kilobytes) / 1024;
}
