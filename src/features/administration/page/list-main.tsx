import { render } from 'preact';
import { ListApp } from './list-app.tsx';
import { ListModel } from './list-model.ts';
import './list.css';

const container = document.querySelector('#list');
if (container) render(<ListApp model={new ListModel(acquireVsCodeApi(), window)} />, container);
