using System;
using System.Collections;
using System.Collections.Generic;

namespace Matchyard
{
    /// <summary>
    /// A JSON object with its names in their original order. Values are <c>null</c>, <c>bool</c>, <c>string</c>, <c>long</c>,
    /// <c>double</c>, <see cref="JsonObject"/> and <see cref="JsonArray"/>; added values may be any number, list, or dictionary with text
    /// keys. An object from the service cannot be changed.
    /// </summary>
    public sealed class JsonObject : IReadOnlyDictionary<string, object>
    {
        private readonly List<string> names = new List<string>();
        private readonly Dictionary<string, object> values = new Dictionary<string, object>(StringComparer.Ordinal);
        private bool isFrozen;

        /// <summary>Number of names.</summary>
        public int Count
        {
            get { return names.Count; }
        }

        /// <summary>Names, in order.</summary>
        public IEnumerable<string> Keys
        {
            get { return names; }
        }

        /// <summary>Values, in the order of their names.</summary>
        public IEnumerable<object> Values
        {
            get
            {
                foreach (var name in names) yield return values[name];
            }
        }

        /// <summary>Value of a name. Throws <see cref="KeyNotFoundException"/> for an unknown name.</summary>
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

        /// <summary>Adds a name, which must be new.</summary>
        public void Add(string name, object value)
        {
            if (values.ContainsKey(name)) throw new ArgumentException("there is a \"" + name + "\" already", "name");
            this[name] = value;
        }

        /// <summary>Whether the object has a name.</summary>
        public bool ContainsKey(string name)
        {
            return values.ContainsKey(name);
        }

        /// <summary>Gets the value of a name; returns false for an unknown name.</summary>
        public bool TryGetValue(string name, out object value)
        {
            return values.TryGetValue(name, out value);
        }

        /// <summary>Returns a text; null for an unknown name or another type.</summary>
        public string GetString(string name)
        {
            return Find(name) as string;
        }

        /// <summary>Returns a whole number; null for an unknown name or another type.</summary>
        public long? GetLong(string name)
        {
            var found = Find(name);
            if (found is long) return (long)found;
            if (!(found is double)) return null;
            var number = (double)found;
            return number == Math.Floor(number) && Math.Abs(number) < 9e15 ? (long?)number : null;
        }

        /// <summary>Returns a number; null for an unknown name or another type.</summary>
        public double? GetDouble(string name)
        {
            var found = Find(name);
            if (found is double) return (double)found;
            return found is long ? (double?)(long)found : null;
        }

        /// <summary>Returns true or false; null for an unknown name or another type.</summary>
        public bool? GetBool(string name)
        {
            var found = Find(name);
            return found is bool ? (bool?)found : null;
        }

        /// <summary>Returns an object; null for an unknown name or another type.</summary>
        public JsonObject GetObject(string name)
        {
            return Find(name) as JsonObject;
        }

        /// <summary>Returns a list; null for an unknown name or another type.</summary>
        public JsonArray GetArray(string name)
        {
            return Find(name) as JsonArray;
        }

        /// <summary>Returns names and values, in order.</summary>
        public IEnumerator<KeyValuePair<string, object>> GetEnumerator()
        {
            foreach (var name in names) yield return new KeyValuePair<string, object>(name, values[name]);
        }

        IEnumerator IEnumerable.GetEnumerator()
        {
            return GetEnumerator();
        }

        /// <summary>Returns the object as JSON.</summary>
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
