import { render } from 'preact';
import { App } from './app.tsx';
import { GraphModel } from './model.ts';
import './graph.css';

const container = document.querySelector('#graph');
if (container) render(<App model={new GraphModel(acquireVsCodeApi(), window)} />, container);
