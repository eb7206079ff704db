/** What a schema says in English where a value does not fit: zod's small form comes without. Imported for its effect. */
import { config } from "zod/mini";
import en from "zod/v4/locales/en.js";

config(en());
