import { createContext } from 'preact';
import type { ChatModel } from '../model.ts';

export const ModelContext = createContext<ChatModel | undefined>(undefined);
