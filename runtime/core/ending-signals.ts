/** The signals by which a person, a terminal or a supervisor tells a process to end. */
export const ENDING_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
