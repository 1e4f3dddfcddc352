using System;
using System.Collections;
using System.Collections.Generic;

namespace Matchyard
{
    /// <summary>
    /// An object of JSON, its names in the order in which they came. Values are <c>null</c>, <c>bool</c>, <c>string</c>, <c>long</c>,
    /// <c>double</c>, <see cref="JsonObject"/> and <see cref="JsonArray"/>; what you add may be any number, dictionary with text keys or list.
    /// What the service answered cannot be changed.
    /// </summary>
    public sealed class JsonObject : IReadOnlyDictionary<string, object>
    {
        private readonly List<string> names = new List<string>();
        private readonly Dictionary<string, object> values = new Dictionary<string, object>(StringComparer.Ordinal);
        private bool isFrozen;

        /// <summary>How many names there are.</summary>
        public int Count
        {
            get { return names.Count; }
        }

        /// <summary>The names, in order.</summary>
        public IEnumerable<string> Keys
        {
            get { return names; }
        }

        /// <summary>The values, in the order of their names.</summary>
        public IEnumerable<object> Values
        {
            get
            {
                foreach (var name in names) yield return values[name];
            }
        }

        /// <summary>The value of a name. Reading one that is not there is a <see cref="KeyNotFoundException"/>.</summary>
        public object this[string name]
        {
            get
            {
                object value;
                if (values.TryGetValue(name, out value)) return value;
                throw new KeyNotFoundException("there is no \"" + name + "\"");
            }
            set
            {
                if (isFrozen) throw new InvalidOperationException("what the service answered cannot be changed");
                if (!values.ContainsKey(name)) names.Add(name);
                values[name] = value;
            }
        }

        /// <summary>Adds a name; it must be new.</summary>
        public void Add(string name, object value)
        {
            if (values.ContainsKey(name)) throw new ArgumentException("there is a \"" + name + "\" already", "name");
            this[name] = value;
        }

        /// <summary>Whether there is such a name.</summary>
        public bool ContainsKey(string name)
        {
            return values.ContainsKey(name);
        }

        /// <summary>The value of a name; false where there is none.</summary>
        public bool TryGetValue(string name, out object value)
        {
            return values.TryGetValue(name, out value);
        }

        /// <summary>A text; null where there is none of this name, or it is something else.</summary>
        public string GetString(string name)
        {
            return Find(name) as string;
        }

        /// <summary>A whole number; null where there is none of this name, or it is something else.</summary>
        public long? GetLong(string name)
        {
            var found = Find(name);
            if (found is long) return (long)found;
            if (!(found is double)) return null;
            var number = (double)found;
            return number == Math.Floor(number) && Math.Abs(number) < 9e15 ? (long?)number : null;
        }

        /// <summary>A number; null where there is none of this name, or it is something else.</summary>
        public double? GetDouble(string name)
        {
            var found = Find(name);
            if (found is double) return (double)found;
            return found is long ? (double?)(long)found : null;
        }

        /// <summary>True or false; null where there is neither of this name.</summary>
        public bool? GetBool(string name)
        {
            var found = Find(name);
            return found is bool ? (bool?)found : null;
        }

        /// <summary>An object; null where there is none of this name, or it is something else.</summary>
        public JsonObject GetObject(string name)
        {
            return Find(name) as JsonObject;
        }

        /// <summary>A list; null where there is none of this name, or it is something else.</summary>
        public JsonArray GetArray(string name)
        {
            return Find(name) as JsonArray;
        }

        /// <summary>Names and values, in order.</summary>
        public IEnumerator<KeyValuePair<string, object>> GetEnumerator()
        {
            foreach (var name in names) yield return new KeyValuePair<string, object>(name, values[name]);
        }

        IEnumerator IEnumerable.GetEnumerator()
        {
            return GetEnumerator();
        }

        /// <summary>As JSON.</summary>
        public override string ToString()
        {
            return JsonText.Write(this);
        }

        internal void Freeze()
        {
            isFrozen = true;
        }

        private object Find(string name)
        {
            object value;
            return values.TryGetValue(name, out value) ? value : null;
        }
    }
}
