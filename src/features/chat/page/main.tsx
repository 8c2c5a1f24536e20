import { render } from 'preact';
import './chat.css';
import { connectHost } from './host.ts';
import { ChatModel } from './model.ts';
import { App } from './view/app.tsx';

const host = connectHost(acquireVsCodeApi(), window);
const container = document.querySelector('#chat');
if (container) render(<App model={new ChatModel(host)} host={host} />, container);
